// The task that checks the whole collection as the command line does.
import * as vscode from 'vscode';
import type { Server } from './server';

interface Check extends vscode.TaskDefinition {
  /** What to check; the folder if none is told. */
  path?: string;
}

export function tasks(server: Server): vscode.Disposable {
  const task = (definition: Check, scope: vscode.WorkspaceFolder | vscode.TaskScope) => {
    const program = server.program?.path ?? 'cpz';
    const run = new vscode.ProcessExecution(program, ['check', definition.path ?? '.']);
    const made = new vscode.Task(definition, scope, 'check', 'cpz', run, '$cpz');
    made.group = vscode.TaskGroup.Test;
    made.detail = 'Checks every puzzle of the folder.';
    return made;
  };
  return vscode.tasks.registerTaskProvider('cpz', {
    provideTasks: () => (vscode.workspace.workspaceFolders ?? []).map((folder) => task({ type: 'cpz' }, folder)),
    resolveTask: (asked) => task(asked.definition as Check, asked.scope as vscode.WorkspaceFolder),
  });
}
