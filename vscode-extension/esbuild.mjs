// Bundles the extension into one file, and puts beside it what comes from elsewhere in the project; with --tests, the tests as well.
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";

const COPIED = ["../schemas/pack.schema.json", "../docs/images/vscode.png", "../docs/images/vscode-policy.png"];

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
for (const file of COPIED) {
  cpSync(file, `dist/${basename(file)}`);
}
const common = { bundle: true, platform: "node", target: "node20", logLevel: "warning" };
await build({
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  format: "cjs",
  external: ["vscode"],
  minify: true,
});
if (process.argv.includes("--tests")) {
  const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: tests.map((name) => `test/${name}`),
    outdir: "dist/test",
    format: "cjs",
    external: ["vscode"],
  });
}
