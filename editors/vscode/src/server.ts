// Starts the server, restarts it when it ends unexpectedly, and reports a failure in one message.
import * as vscode from 'vscode';
import {
  type BaseLanguageClient,
  CloseAction,
  ErrorAction,
  type LanguageClientOptions,
  MessageType,
  RevealOutputChannelOn,
  type ShowMessageParams,
  type ShowMessageRequestParams,
  type StaticFeature,
  vsdiag,
} from 'vscode-languageclient';
import { SCRATCH } from '../../board/choices';
import { Choices, type CommandPlace, comparing } from './choices';
import { Drafts } from './drafts';
import { keepingView } from './view';
import { plain } from '../../board/words';
import { say } from './notices';
import type { FoundServer, Platform, ServerRun } from './platform';

/** How long the server may take to answer `initialize`, in milliseconds. */
const START_TIMEOUT = 10_000;
/** The server is restarted at most MAX_RESTARTS times within RESTART_WINDOW milliseconds. */
const MAX_RESTARTS = 5;
const RESTART_WINDOW = 180_000;
/** URI schemes of old versions of files, and of texts that are drawn only. */
const HISTORY_SCHEMES = new Set([SCRATCH, 'git', 'gitfs', 'gitlens', 'review', 'pr', 'vscode-local-history']);

/** The commands of this extension that lenses and code actions of the server may run. */
const CLIENT_COMMANDS = ['cpz.showBoard', 'cpz.explain'];
/** The commands of the server that change the text. */
const INSERTIONS = new Set([
  'cpz.insertAnswer',
  'cpz.insertWholeSolution',
  'cpz.insertPuzzleAnswers',
  'cpz.insertAllAnswers',
  'cpz.repair',
  'cpz.makeUnique',
  'cpz.shorten',
  'cpz.removeNeedless',
]);

export type Status = { kind: 'starting' | 'ready' | 'stopped'; what: string; version?: string };

/** Tells the server which commands it may use. */
const clientCommands: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = { ...capabilities.experimental, commands: { commands: CLIENT_COMMANDS } };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

export class Server implements vscode.Disposable {
  private client: BaseLanguageClient | undefined;
  private kill: (() => void) | undefined;
  private program: FoundServer | undefined;
  /** The number of the current start; events of an earlier one are ignored. */
  private round = 0;
  /** Times of the last unexpected ends. */
  private ends: number[] = [];
  /** The name of a server that has served before: a failed start of it is retried. */
  private proven: string | undefined;
  private changed = new vscode.EventEmitter<Status>();
  private lastStatus: Status = { kind: 'starting', what: 'cpz has not been started yet' };
  readonly onStatus = this.changed.event;
  private readonly drafts = new Drafts(() => this.running?.getFeature('textDocument/diagnostic')?.refresh());

  private readonly choices: Choices;

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly output: vscode.LogOutputChannel,
    readonly platform: Platform,
  ) {
    this.choices = new Choices(context.extensionUri);
  }

  get status(): Status {
    return this.lastStatus;
  }

  /** The client; undefined unless its server is ready. */
  get running(): BaseLanguageClient | undefined {
    return this.lastStatus.kind === 'ready' ? this.client : undefined;
  }

  /** The server that was started last. */
  get found(): FoundServer | undefined {
    return this.program;
  }

  private setStatus(status: Status): void {
    this.lastStatus = status;
    this.changed.fire(status);
  }

  /** Stops the server and starts it; the client sends all open documents again. */
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
    this.setStatus({ kind: 'starting', what: 'cpz is starting' });
    const found = await this.platform.findServer();
    if (!current()) {
      return;
    }
    if (typeof found === 'string') {
      this.program = undefined;
      return this.fail(found);
    }
    this.program = found;
    this.output.info(found.start);
    const client = found.connect(this.options(current), this.run(current));
    // The library's client shows a message for each failure; `offer` shows one for all of them.
    const log = client.error.bind(client);
    client.error = (message: string, data?: unknown) => log(message, data, false);
    client.registerFeature(clientCommands);
    client.onNotification('window/showMessage', showMessage);
    client.onRequest('window/showMessageRequest', (params: ShowMessageRequestParams) => this.choices.ask(client, params));
    this.client = client;
    const started = client.start();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<'late'>((done) => {
      timer = setTimeout(() => done('late'), START_TIMEOUT);
    });
    try {
      if ((await Promise.race([started.then(() => 'started'), late])) === 'late' && current()) {
        started.catch(() => undefined);
        return this.giveUp(`${found.name} did not answer within ${START_TIMEOUT / 1000} seconds, so it was stopped.`);
      }
    } catch (error) {
      if (!current()) {
        return;
      }
      this.output.error(`${error instanceof Error ? error.message : error}`);
      return this.proven === found.name ? this.ended() : this.giveUp(found.whyNotStarted(error));
    } finally {
      clearTimeout(timer);
    }
    if (current()) {
      // The server may have ended right after its answer.
      await (client.isRunning() ? this.ready(client, found) : this.ended());
    }
  }

  private async ready(client: BaseLanguageClient, found: FoundServer): Promise<void> {
    const info = client.initializeResult?.serverInfo;
    const version = info?.version ?? 'unknown';
    this.output.info(`${info?.name ?? 'the server'} ${version} is ready`);
    this.setStatus({ kind: 'ready', what: `cpz ${version} (${found.place})`, version });
    const ours = String(this.context.extension.packageJSON.version);
    const line = (v: string) => v.split('.').slice(0, 2).join('.');
    if (info?.name !== 'cpz') {
      const says = info?.name ? `calls itself ${info.name}` : 'does not say what it is';
      return this.giveUp(`${found.name} is not a cpz server: it ${says}.`);
    }
    this.proven = found.name;
    if (line(version) !== line(ours)) {
      const what = `${found.name} is version ${version}, and this extension is made for version ${ours}. Some features may not work.`;
      this.output.warn(what);
      this.setStatus({ kind: 'ready', what, version });
      void this.offer(vscode.window.showWarningMessage, what, false);
    }
  }

  private run(isCurrent: () => boolean): ServerRun {
    return {
      isCurrent,
      started: (kill) => {
        if (isCurrent()) {
          this.kill = kill;
        } else {
          kill();
        }
      },
      failed: (why) => {
        if (isCurrent()) {
          void this.giveUp(why);
        }
      },
    };
  }

  private options(current: () => boolean): LanguageClientOptions {
    return {
      documentSelector: [{ language: 'cpz' }],
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: { cpz: withoutBlanks({ ...vscode.workspace.getConfiguration('cpz') }) },
      // `start` reports failures of the initialization.
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          if (current() && this.lastStatus.kind === 'ready') {
            void this.ended();
          }
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      middleware: {
        // No findings in old versions: they cannot be edited.
        handleDiagnostics: (uri, diagnostics, next) =>
          this.drafts.push(uri, HISTORY_SCHEMES.has(uri.scheme) ? [] : diagnostics.map(withPage), next),
        provideDiagnostics: async (document, known, token, next) => {
          const { scheme } = document instanceof vscode.Uri ? document : document.uri;
          if (HISTORY_SCHEMES.has(scheme)) {
            return { kind: vsdiag.DocumentDiagnosticReportKind.full, items: [] };
          }
          const report = await next(document, known, token);
          if (report && 'items' in report) {
            report.items.forEach(withPage);
            const open = document instanceof vscode.Uri ? undefined : document;
            const items = open ? this.drafts.shown(open, report.items) : report.items;
            if (items.length < report.items.length) {
              // Without its id: the next answer must bring all findings.
              return { ...report, items, resultId: undefined };
            }
          }
          return report;
        },
        provideWorkspaceDiagnostics: (known, token, add, next) =>
          next(known, token, (chunk) => {
            if (chunk) {
              chunk.items = chunk.items.filter(({ uri }) => uri.scheme !== SCRATCH);
            }
            for (const report of chunk?.items ?? []) {
              if ('items' in report) {
                report.items.forEach(withPage);
              }
            }
            add(chunk);
          }),
        provideCodeActions: async (document, range, context, token, next) => {
          const found = await next(document, range, context, token);
          const compare = found && comparing(document, found, context.diagnostics);
          return compare ? [...found, compare] : found;
        },
        executeCommand: async (command, args, next) => {
          const place = args[0] as CommandPlace | undefined;
          if (!INSERTIONS.has(command) || !place?.uri) {
            return next(command, args);
          }
          const uri = vscode.Uri.parse(place.uri);
          const what = await this.platform.readOnly(uri);
          if (what) {
            void vscode.window.showWarningMessage(`cpz: nothing was inserted, because ${what}.`);
            return undefined;
          }
          return keepingView(uri, () => Promise.resolve(next(command, args)));
        },
        workspace: {
          configuration: async (params, token, next) => {
            const found = await next(params, token);
            return Array.isArray(found) ? found.map(withoutBlanks) : found;
          },
        },
      },
      markdown: { supportHtml: false },
    };
  }

  /** The server ended unexpectedly: restart it, unless it did so too often. */
  private async ended(): Promise<void> {
    const now = Date.now();
    this.ends = [...this.ends.filter((then) => now - then < RESTART_WINDOW), now];
    if (this.ends.length > MAX_RESTARTS) {
      return this.giveUp(`the server stopped unexpectedly ${this.ends.length} times within a few minutes, so it was not started again.`);
    }
    this.output.warn(`the server stopped unexpectedly; restarting it (${this.ends.length} of ${MAX_RESTARTS})`);
    await this.start();
  }

  /** Stops the server for good and shows the reason. */
  private async giveUp(what: string): Promise<void> {
    const round = ++this.round;
    await this.end();
    if (round === this.round) {
      this.fail(what);
    }
  }

  private fail(what: string): void {
    this.output.error(what);
    this.setStatus({ kind: 'stopped', what });
    void this.offer(vscode.window.showErrorMessage, what, true);
  }

  /** Shows a message with buttons for the possible remedies. */
  private async offer(
    show: (message: string, ...items: string[]) => Thenable<string | undefined>,
    what: string,
    canRestart: boolean,
  ): Promise<void> {
    const [restart, output] = ['Restart', 'Show Output'];
    const remedies = await this.platform.remedies();
    const items = [...(canRestart ? [restart] : []), output, ...remedies.map(({ title }) => title)];
    const chosen = await show(`cpz: ${what}`, ...items);
    if (chosen === restart) {
      await this.restart();
    } else if (chosen === output) {
      this.output.show();
    } else {
      await remedies.find(({ title }) => title === chosen)?.run();
    }
  }

  /** Shuts the server down, and kills what runs it. */
  private async end(): Promise<void> {
    const { client, kill } = this;
    this.client = this.kill = undefined;
    try {
      // A server that hangs in `initialize` cannot answer `shutdown`.
      await (client?.isRunning() ? client.stop(1000) : undefined);
    } catch {
      // The server has ended already.
    }
    kill?.();
    void client?.dispose().catch(() => undefined);
  }

  async dispose(): Promise<void> {
    this.round++;
    await this.end();
    this.changed.dispose();
    this.drafts.dispose();
    this.choices.dispose();
  }
}

/** Makes the code of a finding a link to the page of the manual about it. */
function withPage(found: vscode.Diagnostic): vscode.Diagnostic {
  if (typeof found.code === 'string' && found.source === 'cpz') {
    const given = encodeURIComponent(JSON.stringify([{ code: found.code }]));
    found.code = { value: found.code, target: vscode.Uri.parse(`command:cpz.explain?${given}`) };
  }
  return found;
}

/** Shows a message of the server, with the name of the extension before it. */
function showMessage({ type, message }: ShowMessageParams): void {
  const kind = type === MessageType.Error ? 'error' : type === MessageType.Warning ? 'warning' : 'info';
  void say(kind, plain(message));
}

/** The settings of the section `cpz`. A text setting without a text is not set, and the server expects null for it. */
function withoutBlanks<T>(settings: T): T {
  if (!settings || typeof settings !== 'object' || Array.isArray(settings)) {
    return settings;
  }
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, value === '' ? null : value])) as T;
}
