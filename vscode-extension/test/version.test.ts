import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { atLeast, NEEDED, versionOf } from "../src/version";

function program(script: string): { program: string; args: string[]; from: string } {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "version-")), "sakaime");
  fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { program: file, args: ["-m"], from: "a test" };
}

const options = { cwd: os.tmpdir(), env: process.env };

test("versions are compared by their numbers", () => {
  assert.ok(atLeast("0.10.0", "0.9.3") && atLeast("0.1.0", "0.1.0") && atLeast("1", "0.1.0") && atLeast("0.1.0.post1", "0.1"));
  assert.ok(!atLeast("0.1.0", "0.1.1") && !atLeast("0.1", "0.1.1") && !atLeast("unknown", "0.1"));
});

test("a command is asked with its own arguments", async () => {
  assert.equal(await versionOf(program('[ "$*" = "-m --version" ] && echo sakaime 0.3.1'), options), "0.3.1");
});

test("what is not sakaime is refused with what it said", async () => {
  await assert.rejects(versionOf(program("echo something else 1.0"), options), /does not say that it is sakaime: something else/);
  await assert.rejects(versionOf(program("echo no module >&2; exit 1"), options), /no module/);
  await assert.rejects(versionOf({ program: "/nowhere", args: [], from: "" }, options), /ENOENT/);
});

test("the extension needs no newer server than the one it comes with", () => {
  const { version } = JSON.parse(fs.readFileSync("package.json", "utf8")) as { version: string };
  assert.ok(atLeast(version, NEEDED));
});
