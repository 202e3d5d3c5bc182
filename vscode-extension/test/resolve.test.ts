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
  return { setting: [], chosen: [], env: {}, platform: "linux", folders: [], trusted: true, ...changes };
}

test("the setting comes before PATH, with its arguments", () => {
  const [own, common] = [folderWith("python3"), folderWith("sakaime")];
  const setting = [path.join(own, "python3"), "-m", "sakaime"];
  const found = resolveCommand(around({ setting, env: { PATH: common } }));
  assert.deepEqual([found?.program, found?.args], [setting[0], ["-m", "sakaime"]]);
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

test("a trusted workspace's environment comes before PATH, the chosen one before the one in the folder", () => {
  const [chosen, workspace, common] = [folderWith("sakaime"), folderWith(), folderWith("sakaime")];
  const bin = path.join(workspace, "venv", "bin");
  fs.mkdirSync(bin, { recursive: true });
  fs.copyFileSync(path.join(common, "sakaime"), path.join(bin, "sakaime"));
  const known = around({ chosen: [folderWith(), chosen], folders: [folderWith(), workspace], env: { PATH: common } });
  assert.equal(resolveCommand(known)?.program, path.join(chosen, "sakaime"));
  assert.equal(resolveCommand({ ...known, chosen: [] })?.program, path.join(bin, "sakaime"));
  assert.equal(resolveCommand({ ...known, chosen: [], folders: [] })?.program, path.join(common, "sakaime"));
  assert.equal(resolveCommand({ ...known, trusted: false })?.program, path.join(common, "sakaime"));
});

test("the setting comes before environments, and one that leads nowhere is not replaced by them", () => {
  const workspace = folderWith();
  fs.mkdirSync(path.join(workspace, ".venv", "bin"), { recursive: true });
  fs.writeFileSync(path.join(workspace, ".venv", "bin", "sakaime"), "", { mode: 0o755 });
  const setting = [path.join(folderWith("own"), "own")];
  assert.equal(resolveCommand(around({ setting, folders: [workspace] }))?.program, setting[0]);
  assert.equal(resolveCommand(around({ setting: ["/nowhere"], folders: [workspace], chosen: [workspace] })), undefined);
});

test("relative folders of environments are not taken", () => {
  const folder = folderWith("sakaime");
  const relative = path.relative(process.cwd(), folder);
  assert.equal(resolveCommand(around({ chosen: [relative] })), undefined);
});

test("on Windows a program of that name ending in .exe is meant", () => {
  const folder = folderWith("sakaime", "sakaime.exe");
  const found = resolveCommand(around({ platform: "win32", env: { Path: folder } }));
  assert.equal(found?.program, path.join(folder, "sakaime.exe"));
  const scripts = path.join(folder, ".venv", "Scripts");
  fs.mkdirSync(scripts, { recursive: true });
  fs.writeFileSync(path.join(scripts, "sakaime.exe"), "", { mode: 0o755 });
  assert.equal(resolveCommand(around({ platform: "win32", folders: [folder] }))?.program, path.join(scripts, "sakaime.exe"));
});

test("an untrusted workspace that is itself a link, or is reached by one, names no program", () => {
  const workspace = folderWith("sakaime");
  const link = path.join(folderWith(), "link");
  fs.symlinkSync(workspace, link);
  for (const [entry, folder] of [[workspace, link], [link, workspace]] as const) {
    assert.equal(resolveCommand(around({ env: { PATH: entry }, folders: [folder], trusted: false })), undefined);
    const setting = [path.join(entry, "sakaime")];
    assert.equal(resolveCommand(around({ setting, folders: [folder], trusted: false })), undefined);
  }
});
