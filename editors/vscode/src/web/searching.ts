// Shows in the status bar that a long search runs.
import * as vscode from 'vscode';

export class Searching {
  private done: (() => void) | undefined;

  begin(): void {
    if (this.done) {
      return;
    }
    const ended = new Promise<void>((done) => {
      this.done = done;
    });
    void vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: 'cpz: searching' }, () => ended);
  }

  end(): void {
    this.done?.();
    this.done = undefined;
  }
}
