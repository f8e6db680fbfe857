// The text in the editor, and the same text at the server: every change is sent at once.
import { isolateHistory } from '@codemirror/commands';
import { Annotation, type EditorState, type Extension, Text, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { LanguageClient } from '../lsp/client';
import { FIRST_VERSION, openedText } from '../lsp/opening';
import type { TextEdit, WorkspaceEdit } from '../lsp/types';
import { URI } from '../uri';
import { changesOf, contentChanges } from './positions';

/** Marks a change that is not made by the user: another text is shown. */
export const opened = Annotation.define<boolean>();

export class SyncedDocument {
  readonly uri = URI;
  version = FIRST_VERSION;
  private view: EditorView | undefined;

  constructor(readonly client: LanguageClient) {}

  /** Sends the text, and every change of it from now on. */
  attach(view: EditorView): void {
    this.view = view;
    this.client.notify('textDocument/didOpen', openedText(view.state.doc.toString()));
  }

  get editor(): EditorView {
    if (!this.view) {
      throw new Error('the document has no editor yet');
    }
    return this.view;
  }

  /** The editor, if there is one yet. */
  get attached(): EditorView | undefined {
    return this.view;
  }

  get state(): EditorState {
    return this.editor.state;
  }

  get extension(): Extension {
    return EditorView.updateListener.of((update) => {
      if (update.docChanged && this.view) {
        this.version++;
        this.client.notify('textDocument/didChange', {
          textDocument: { uri: URI, version: this.version },
          contentChanges: contentChanges(update.startState.doc, update.changes),
        });
      }
    });
  }

  /** Sends a request about the text. The result is undefined if the text has changed in the meantime, or on an error. */
  async ask<R>(method: string, params: object = {}, signal?: AbortSignal): Promise<R | undefined> {
    const { version } = this;
    try {
      const result = await this.client.request<R>(method, { textDocument: { uri: URI }, ...params }, signal);
      return version === this.version ? result : undefined;
    } catch {
      // The text changed, or the server refused: the next event asks again.
      return undefined;
    }
  }

  /** Applies edits as one step of the history. */
  edit(edits: readonly TextEdit[], more: { scroll?: boolean } = {}): void {
    this.editor.dispatch({
      changes: changesOf(this.state.doc, edits),
      annotations: [isolateHistory.of('full'), Transaction.userEvent.of('input.command')],
      scrollIntoView: more.scroll ?? false,
    });
  }

  /** Applies an edit of the server. Returns why not, if it is for another version of the text. */
  apply({ documentChanges, changes }: WorkspaceEdit): string | undefined {
    const wanted = documentChanges?.find(({ textDocument }) => textDocument.uri === URI);
    if (wanted && wanted.textDocument.version !== null && wanted.textDocument.version !== this.version) {
      return 'the text has changed since';
    }
    const edits = wanted?.edits ?? changes?.[URI];
    if (!edits) {
      return 'the change is for another text';
    }
    this.edit(edits);
    return undefined;
  }

  /** Shows another text. The one before comes back with Undo. */
  replace(text: string): void {
    const { doc } = this.state;
    this.editor.dispatch({
      changes: { from: 0, to: doc.length, insert: Text.of(text.split(/\r\n|\r|\n/)) },
      selection: { anchor: 0 },
      annotations: [opened.of(true), isolateHistory.of('full')],
      scrollIntoView: true,
    });
  }
}
