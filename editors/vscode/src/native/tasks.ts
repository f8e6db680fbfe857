// The task `cpz: check`: runs `cpz check` on a folder of the workspace.
import * as vscode from 'vscode';
import type { Server } from '../server';

interface Check extends vscode.TaskDefinition {
  /** The file or folder to check; by default the workspace folder. */
  path?: string;
}

export function tasks(server: Server): vscode.Disposable {
  const task = (definition: Check, scope: vscode.WorkspaceFolder | vscode.TaskScope) => {
    const program = server.found?.name ?? 'cpz';
    const run = new vscode.ProcessExecution(program, ['check', definition.path ?? '.']);
    const result = new vscode.Task(definition, scope, 'check', 'cpz', run, '$cpz');
    result.group = vscode.TaskGroup.Test;
    result.detail = 'Check every puzzle in the folder';
    return result;
  };
  return vscode.tasks.registerTaskProvider('cpz', {
    provideTasks: () => (vscode.workspace.workspaceFolders ?? []).map((folder) => task({ type: 'cpz' }, folder)),
    resolveTask: (requested) => task(requested.definition as Check, requested.scope as vscode.WorkspaceFolder),
  });
}
