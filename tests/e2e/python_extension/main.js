// As much of the Python extension as others ask it: which environment was chosen. A command chooses the one in $CHOSEN.
const path = require("node:path");
const vscode = require("vscode");

let chosen = "/nowhere/bin/python";
const changed = new vscode.EventEmitter();

exports.activate = (context) => {
  const choose = () => {
    chosen = path.join(process.env.CHOSEN, "bin", "python");
    changed.fire({ id: chosen, path: chosen });
  };
  context.subscriptions.push(vscode.commands.registerCommand("python.choose", choose));
  return {
    environments: {
      onDidChangeActiveEnvironmentPath: changed.event,
      getActiveEnvironmentPath: () => ({ id: chosen, path: chosen }),
      resolveEnvironment: async (asked) => ({ executable: { uri: vscode.Uri.file(asked.path) } }),
    },
  };
};
