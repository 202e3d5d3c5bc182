import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { resolveCommand, type Surroundings } from "../src/resolve";

function folderWith(...names: string[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "resolve-"));
  for (const name of names) {
    fs.writeFileSync(path.join(folder, name), "#!/bin/sh\n", { mode: 0o755 });
  }
  return folder;
}

function around(changes: Partial<Surroundings>): Surroundings {
  return { setting: [], env: {}, platform: "linux", folders: [], trusted: true, ...changes };
}

test("the setting comes before PATH, with its arguments", () => {
  const [own, common] = [folderWith("python3"), folderWith("sakaime")];
  const setting = [path.join(own, "python3"), "-m", "sakaime"];
  const found = resolveCommand(around({ setting, env: { PATH: common } }));
  assert.deepEqual([found?.program, found?.args], [setting[0], ["-m", "sakaime", "lsp"]]);
});

test("a setting that leads nowhere is not replaced by something else", () => {
  const found = resolveCommand(around({ setting: ["/nowhere/sakaime"], env: { PATH: folderWith("sakaime") } }));
  assert.equal(found, undefined);
});

test("a plain name is looked up on PATH, a relative path is not taken", () => {
  const folder = folderWith("sakaime", "python3");
  const env = { PATH: ["relative", "", folder].join(path.delimiter) };
  assert.equal(resolveCommand(around({ env }))?.program, path.join(folder, "sakaime"));
  assert.equal(resolveCommand(around({ env, setting: ["python3"] }))?.program, path.join(folder, "python3"));
  assert.equal(resolveCommand(around({ env, setting: ["./python3"] })), undefined);
});

test("what cannot be run is passed over", () => {
  const folder = folderWith();
  fs.writeFileSync(path.join(folder, "sakaime"), "", { mode: 0o644 });
  fs.mkdirSync(path.join(folder, "sub"));
  fs.mkdirSync(path.join(folder, "sub", "sakaime"));
  assert.equal(resolveCommand(around({ env: { PATH: [folder, path.join(folder, "sub")].join(path.delimiter) } })), undefined);
});

test("an untrusted workspace names no program, not even through a link", () => {
  const workspace = folderWith("sakaime");
  const outside = folderWith();
  fs.symlinkSync(path.join(workspace, "sakaime"), path.join(outside, "sakaime"));
  for (const folder of [workspace, outside]) {
    const env = { PATH: folder };
    assert.equal(resolveCommand(around({ env, folders: [workspace], trusted: false })), undefined);
    assert.ok(resolveCommand(around({ env, folders: [workspace] })));
  }
});
