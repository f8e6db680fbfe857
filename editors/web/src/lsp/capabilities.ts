// What the page tells the server in `initialize`.

/** The commands of the page that lenses and code actions of the server may run. */
export const CLIENT_COMMANDS = ['cpz.showBoard', 'cpz.explain'] as const;

const markdown = ['markdown', 'plaintext'];

export const INITIALIZE = {
  processId: null,
  rootUri: null,
  clientInfo: { name: 'cpz on the web' },
  capabilities: {
    general: { positionEncodings: ['utf-16'] },
    textDocument: {
      publishDiagnostics: { versionSupport: true, dataSupport: true, tagSupport: { valueSet: [1] } },
      hover: { contentFormat: markdown },
      completion: { completionItem: { snippetSupport: true, documentationFormat: markdown, labelDetailsSupport: true } },
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source'] } } },
      documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      semanticTokens: { requests: { range: true }, tokenTypes: [], tokenModifiers: [], formats: ['relative'] },
    },
    workspace: {
      applyEdit: true,
      workspaceEdit: { documentChanges: true },
      inlayHint: { refreshSupport: true },
      codeLens: { refreshSupport: true },
    },
    window: { showMessage: { messageActionItem: { additionalPropertiesSupport: true } }, showDocument: { support: true }, workDoneProgress: true },
    experimental: { commands: { commands: CLIENT_COMMANDS } },
  },
  // The board stands beside the text: a hover needs no picture.
  initializationOptions: { cpz: { images: false } },
};
