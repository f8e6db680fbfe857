// Starts the server, starts it again when it ends, and says in one sentence what is wrong when that fails.
import { type ChildProcess, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  vsdiag,
} from 'vscode-languageclient/node';
import { bundledServer, type Found, findServer, serverSetting } from './find';
import { readOnly } from './readonly';

/** How long the server may take to answer `initialize`. */
const PATIENCE = 10_000;
/** How often the server may end by itself within so many milliseconds before it is left alone. */
const MOST_ENDS = 5;
const WITHIN = 180_000;
/** Where versions of files come from that are not the files themselves. */
const OLD = new Set(['git', 'gitfs', 'gitlens', 'review', 'pr', 'vscode-local-history']);

export type Status = { kind: 'starting' | 'ready' | 'stopped'; what: string; version?: string };

/** The library's client tells people of each failure by itself; here one sentence is said of all of them. */
class Client extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private process: ChildProcess | undefined;
  private found: Found | undefined;
  /** Counts starts; what belongs to an earlier one is out of date. */
  private round = 0;
  private ends: number[] = [];
  /** The program that has served before: if it ends, it may well serve again. */
  private proved: string | undefined;
  private changed = new vscode.EventEmitter<Status>();
  private now: Status = { kind: 'starting', what: 'cpz has not been started yet' };
  readonly onStatus = this.changed.event;

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly output: vscode.LogOutputChannel,
  ) {}

  get status(): Status {
    return this.now;
  }

  /** The client, while there is a server behind it. */
  get running(): LanguageClient | undefined {
    return this.now.kind === 'ready' ? this.client : undefined;
  }

  get program(): Found | undefined {
    return this.found;
  }

  private tell(status: Status): void {
    this.now = status;
    this.changed.fire(status);
  }

  /** Ends what runs and starts anew; texts that are open are sent again as they are in the editor. */
  async restart(): Promise<void> {
    this.ends = [];
    await this.start();
  }

  async start(): Promise<void> {
    const round = ++this.round;
    const current = () => round === this.round;
    await this.end();
    if (!current()) {
      return;
    }
    this.tell({ kind: 'starting', what: 'cpz is starting' });
    const found = await findServer(this.context);
    if (!current()) {
      return;
    }
    if (typeof found === 'string') {
      this.found = undefined;
      return this.fail(found);
    }
    this.found = found;
    this.output.info(`starting ${found.path} lsp (from the ${found.from})`);
    const client = new Client('cpz', 'cpz', () => this.spawn(found.path, current), this.options(current));
    this.client = client;
    const started = client.start();
    const late = new Promise<'late'>((done) => setTimeout(() => done('late'), PATIENCE).unref());
    try {
      if ((await Promise.race([started.then(() => 'started'), late])) === 'late' && current()) {
        started.catch(() => undefined);
        return this.give(`${found.path} did not answer within ${PATIENCE / 1000} seconds, so it was stopped.`);
      }
    } catch (error) {
      if (!current()) {
        return;
      }
      this.output.error(`${error instanceof Error ? error.message : error}`);
      if (this.proved === found.path) {
        return this.ended();
      }
      const { code } = error as NodeJS.ErrnoException;
      const runs = typeof code !== 'string';
      return this.give(
        runs
          ? `${found.path} did not start as a cpz server; is it one?`
          : `${found.path} cannot be run (${code}).`,
      );
    }
    if (current()) {
      // It may have ended while its answer was read.
      await (client.isRunning() ? this.ready(client, found) : this.ended());
    }
  }

  private async ready(client: LanguageClient, found: Found): Promise<void> {
    const info = client.initializeResult?.serverInfo;
    const version = info?.version ?? 'unknown';
    this.output.info(`${info?.name ?? 'the server'} ${version} is ready`);
    this.tell({ kind: 'ready', what: `cpz ${version} (${found.path})`, version });
    const ours = String(this.context.extension.packageJSON.version);
    const line = (v: string) => v.split('.').slice(0, 2).join('.');
    if (info?.name !== 'cpz') {
      const says = info?.name ? `calls itself ${info.name}` : 'does not say what it is';
      return this.give(`${found.path} is no cpz server: it ${says}.`);
    }
    this.proved = found.path;
    if (line(version) !== line(ours)) {
      const what = `${found.path} is version ${version}, and this extension is made for ${ours}; some things may not work.`;
      this.output.warn(what);
      this.tell({ kind: 'ready', what, version });
      void this.offer(vscode.window.showWarningMessage, what, false);
    }
  }

  private spawn(path: string, current: () => boolean): Promise<ChildProcess> {
    return new Promise((done, failed) => {
      // Not in a folder of the workspace: that may be gone, and need not be trusted.
      const child = spawn(path, ['lsp'], { cwd: homedir(), stdio: 'pipe' });
      child.once('spawn', () => done(child));
      child.once('error', failed);
      child.once('exit', (code, signal) => this.output.info(`the server ended (${signal ?? code})`));
      // Writing to a server that is gone is found out by its end, not here.
      child.stdin.on('error', () => undefined);
      if (current()) {
        this.process = child;
      } else {
        child.kill('SIGKILL');
      }
    });
  }

  private options(current: () => boolean): LanguageClientOptions {
    return {
      documentSelector: [{ language: 'cpz' }, { scheme: 'file', pattern: '**/cpz.toml' }],
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: { cpz: { ...vscode.workspace.getConfiguration('cpz') } },
      // All that goes wrong at the start is told by the one who waits for it.
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          if (current() && this.now.kind === 'ready') {
            void this.ended();
          }
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      middleware: {
        // Older versions are there to be read, not to be mended.
        handleDiagnostics: (uri, diagnostics, next) => next(uri, OLD.has(uri.scheme) ? [] : diagnostics),
        provideDiagnostics: (document, known, token, next) => {
          const { scheme } = document instanceof vscode.Uri ? document : document.uri;
          return OLD.has(scheme) ? { kind: vsdiag.DocumentDiagnosticReportKind.full, items: [] } : next(document, known, token);
        },
        executeCommand: async (command, args, next) => {
          const place = args[0] as { uri?: string } | undefined;
          const what = command !== 'cpz.showNextMove' && place?.uri && (await readOnly(vscode.Uri.parse(place.uri)));
          if (what) {
            void vscode.window.showWarningMessage(`cpz: nothing was inserted, because ${what}.`);
            return undefined;
          }
          return next(command, args);
        },
      },
      markdown: { supportHtml: false },
    };
  }

  /** The server ended by itself: it comes back, unless it does nothing else. */
  private async ended(): Promise<void> {
    const now = Date.now();
    this.ends = [...this.ends.filter((then) => now - then < WITHIN), now];
    if (this.ends.length > MOST_ENDS) {
      return this.give(`the server ended ${this.ends.length} times within a few minutes, so it is left alone.`);
    }
    this.output.warn(`the server ended by itself; starting it again (${this.ends.length} of ${MOST_ENDS})`);
    await this.start();
  }

  /** Ends what runs, and says why it is not tried again. */
  private async give(what: string): Promise<void> {
    const round = ++this.round;
    await this.end();
    if (round === this.round) {
      this.fail(what);
    }
  }

  private fail(what: string): void {
    this.output.error(what);
    this.tell({ kind: 'stopped', what });
    void this.offer(vscode.window.showErrorMessage, what, true);
  }

  /** Says what is wrong, with the ways out of it. */
  private async offer(
    show: (message: string, ...items: string[]) => Thenable<string | undefined>,
    what: string,
    again: boolean,
  ): Promise<void> {
    const [restart, output, bundled, settings] = ['Restart', 'Show Output', 'Use the Bundled Server', 'Open Settings'];
    const items = [...(again ? [restart] : []), output, ...(await this.hasBundled() ? [bundled] : []), settings];
    const chosen = await show(`cpz: ${what}`, ...items);
    if (chosen === restart) {
      await this.restart();
    } else if (chosen === output) {
      this.output.show();
    } else if (chosen === settings) {
      await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:cpz.cpz server');
    } else if (chosen === bundled) {
      await useBundled().then(undefined, (error: unknown) =>
        vscode.window.showErrorMessage(`cpz: the setting cannot be changed: ${error}`),
      );
    }
  }

  /** Whether a setting stands before a server in the extension. */
  private async hasBundled(): Promise<boolean> {
    return !!serverSetting() && !!(await bundledServer(this.context));
  }

  /** Ends the process, whatever it does. */
  private async end(): Promise<void> {
    const [client, child] = [this.client, this.process];
    this.client = this.process = undefined;
    try {
      // What hangs in `initialize` cannot be asked to stop.
      await (client?.isRunning() ? client.stop(1000) : undefined);
    } catch {
      // It is gone already.
    }
    child?.kill('SIGKILL');
    void client?.dispose().catch(() => undefined);
  }

  async dispose(): Promise<void> {
    this.round++;
    await this.end();
    this.changed.dispose();
  }
}

/** Takes the setting away where it was made; the change of it starts the server anew. */
async function useBundled(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('cpz');
  const made = settings.inspect('server.path');
  const places: [unknown, vscode.ConfigurationTarget][] = [
    [made?.workspaceFolderValue, vscode.ConfigurationTarget.WorkspaceFolder],
    [made?.workspaceValue, vscode.ConfigurationTarget.Workspace],
    [made?.globalValue, vscode.ConfigurationTarget.Global],
  ];
  for (const [value, target] of places) {
    if (value !== undefined) {
      await settings.update('server.path', undefined, target);
    }
  }
}
