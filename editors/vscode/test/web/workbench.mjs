// A page object for one window of VS Code for the Web.
import { repeat } from '../vscode.mjs';
import { Workbench } from '../workbench.mjs';
import { stopClock } from './clock.mjs';

export class WebWorkbench extends Workbench {
  constructor(page, { url, write, written }) {
    super(page, { languageServers: () => [], url: (_, name) => url(name) }, '');
    Object.assign(this, { write, written, log: [], failures: [], hosts: new Set() });
    page.on('console', message => this.log.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', error => this.log.push(`page: ${error.stack}`));
    page.on('request', request => /^(blob|data):/.test(request.url()) || this.hosts.add(new URL(request.url()).hostname));
  }

  /** Opens a file from the explorer: nothing searches the folder in memory for names. */
  async open(file) {
    const tab = this.page.locator('.tab.active', { hasText: file });
    const row = this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: file }).first();
    // The list moves while it is drawn.
    await repeat(async ms => {
      await row.dblclick({ timeout: ms });
      await tab.waitFor({ timeout: ms });
    }, `the file ${file}`);
    await this.editor.locator('.view-line').first().waitFor();
  }

  stopClock() {
    return stopClock(this.page, this.until);
  }

  /** The text of a file as it was saved. */
  disk(name) {
    return this.written.get(name);
  }
}
