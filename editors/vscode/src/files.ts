// Names of files and folders.
import type * as vscode from 'vscode';

/** The last part of the path of a file. */
export function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The name of a file of another program without its extension: `games` for `games.csv.zst`. */
export function withoutExtension(name: string): string {
  return name.replace(/(\.csv)?\.[^.]*$/, '');
}
