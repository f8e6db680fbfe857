// A page object for one window of VS Code for the Web.
import { Workbench } from '../workbench.mjs';

export class WebWorkbench extends Workbench {
  constructor(page, { url, written }) {
    super(page, { languageServers: () => [], url: (_, name) => url(name) }, '');
    Object.assign(this, { written, log: [], failures: [], hosts: new Set() });
    page.on('console', message => this.log.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', error => this.log.push(`page: ${error.stack}`));
    page.on('request', request => /^(blob|data):/.test(request.url()) || this.hosts.add(new URL(request.url()).hostname));
  }

  /** The text of a file as it was saved. */
  disk(name) {
    return this.written.get(name);
  }
}
