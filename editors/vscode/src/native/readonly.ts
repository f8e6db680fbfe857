// Whether a document can be saved: an edit of a read-only one would be lost.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { fileName } from '../files';

/** Why a document cannot be changed, as the end of a sentence; undefined if it can. */
export async function readOnly(uri: vscode.Uri): Promise<string | undefined> {
  const name = fileName(uri);
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false && uri.scheme !== 'untitled') {
    return `${name} is in a place that cannot be written to`;
  }
  if (uri.scheme !== 'file') {
    return undefined;
  }
  try {
    // Mode bits first: `access` lets root write to every file.
    const { mode } = await stat(uri.fsPath);
    if (!(mode & 0o222)) {
      return `${name} is read-only`;
    }
    await access(uri.fsPath, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return ['EACCES', 'EPERM', 'EROFS'].includes(code ?? '') ? `${name} is read-only` : undefined;
  }
}
