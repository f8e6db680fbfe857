// The types of the language server protocol that this page uses. Lines and characters are 0-based, in UTF-16 units.

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface TextEdit {
  range: Range;
  newText: string;
}

export interface WorkspaceEdit {
  documentChanges?: { textDocument: { uri: string; version: number | null }; edits: TextEdit[] }[];
  changes?: Record<string, TextEdit[]>;
}

export interface Command {
  title: string;
  command: string;
  arguments?: unknown[];
}

export interface Diagnostic {
  range: Range;
  /** 1: error, 2: warning, 3: information, 4: hint. */
  severity?: 1 | 2 | 3 | 4;
  code?: string;
  source?: string;
  message: string;
  tags?: number[];
  data?: unknown;
}

export interface CodeAction {
  title: string;
  kind?: string;
  isPreferred?: boolean;
  disabled?: { reason: string };
  edit?: WorkspaceEdit;
  command?: Command;
}

export interface CodeLens {
  range: Range;
  command?: Command;
  data?: unknown;
}

export interface InlayHint {
  position: Position;
  label: string | { value: string }[];
  tooltip?: string | MarkupContent;
  textEdits?: TextEdit[];
  paddingLeft?: boolean;
}

export interface MarkupContent {
  kind: 'markdown' | 'plaintext';
  value: string;
}

export interface Hover {
  contents: MarkupContent;
  range?: Range;
}

export interface CompletionItem {
  label: string;
  labelDetails?: { description?: string };
  kind?: number;
  detail?: string;
  documentation?: string | MarkupContent;
  filterText?: string;
  insertTextFormat?: 1 | 2;
  textEdit?: TextEdit;
}

export interface DocumentSymbol {
  name: string;
  detail?: string;
  kind: number;
  range: Range;
  selectionRange: Range;
  children?: DocumentSymbol[];
}
