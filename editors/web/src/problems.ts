// The list of what is wrong in the text, below it.
import type { Findings } from './editor/findings';
import type { SyncedDocument } from './editor/document';
import { offsetAt } from './editor/positions';
import { EditorView } from '@codemirror/view';
import { byId, element, isNarrow } from './ui/elements';
import { clearNews } from './ui/notices';

/** The most findings of the list; the counts are of all. */
const MAX_SHOWN = 100;

export class ProblemList {
  private readonly list = byId('problems');
  private readonly button = byId('problems-button');

  constructor(
    private readonly document: SyncedDocument,
    private readonly findings: Findings,
    private readonly showText: () => void,
    explain: (code: string) => void,
  ) {
    this.button.addEventListener('click', ({ detail }) => {
      this.toggle();
      if (detail === 0 && !this.list.hidden) {
        // It was a key, and the list stands before the button.
        this.list.querySelector('button')?.focus();
      }
    });
    findings.onChange = () => this.update(explain);
    this.list.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        this.toggle(false);
        this.button.focus();
      }
    });
  }

  toggle(open = this.list.hidden): void {
    this.list.hidden = !open;
    this.button.setAttribute('aria-expanded', `${open}`);
    if (open) {
      if (!isNarrow()) {
        // There they would cover the list.
        clearNews();
      }
      this.fill();
    }
  }

  private explain: (code: string) => void = () => undefined;

  private update(explain: (code: string) => void): void {
    this.explain = explain;
    const count = (severity: string) => this.findings.all.filter((found) => found.severity === severity).length;
    const [errors, warnings] = [count('error'), count('warning')];
    const parts = [...(errors ? [counted(errors, 'error')] : []), ...(warnings ? [counted(warnings, 'warning')] : [])];
    this.button.dataset.kind = errors ? 'wrong' : warnings ? 'doubtful' : 'right';
    const label = this.button.querySelector('span') ?? this.button;
    // On a narrow screen the style shows the numbers with a mark, and leaves the words to screen readers.
    const shown = parts.flatMap((part, nth) => (nth ? [element('span', ', ', 'word'), part] : [part]));
    const text = shown.map(({ textContent }) => textContent).join('');
    if (label.textContent !== (text || 'No errors')) {
      label.replaceChildren(...(text ? shown : ['No errors']));
    }
    if (!this.list.hidden) {
      this.fill();
    }
  }

  private fill(): void {
    const { all } = this.findings;
    const hadFocus = this.list.contains(document.activeElement);
    const list = element('ul');
    list.append(
      ...all.slice(0, MAX_SHOWN).map((found) => {
        const item = element('li', '', found.severity);
        const { line } = found.diagnostic.range.start;
        const place = element('button', `Line ${line + 1}`, 'place');
        place.addEventListener('click', () => this.goTo(found.diagnostic.range.start));
        const about = element('button', found.diagnostic.code ?? '', 'code');
        about.title = 'What this means';
        about.addEventListener('click', () => this.explain(found.diagnostic.code ?? ''));
        const head = element('div', '', 'head');
        const mark = element('span', found.severity === 'error' ? 'Error' : found.severity === 'warning' ? 'Warning' : 'Note', 'severity');
        head.append(mark, place);
        if (found.diagnostic.code) {
          head.append(about);
        }
        item.append(head, this.findings.card(found, false));
        return item;
      }),
    );
    const empty = element('p', 'No errors and no warnings.');
    this.list.replaceChildren(all.length ? list : empty);
    if (all.length > MAX_SHOWN) {
      this.list.append(element('p', `${all.length - MAX_SHOWN} more are not in this list.`));
    }
    if (hadFocus) {
      (this.list.querySelector('button') ?? this.button).focus();
    }
  }

  private goTo(position: { line: number; character: number }): void {
    this.showText();
    const view = this.document.editor;
    const anchor = offsetAt(view.state.doc, position);
    view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    view.focus();
  }
}

/** How many there are of a noun, such as `2 errors`. */
function counted(number: number, noun: string): HTMLElement {
  const count = element('span', `${number}`, noun);
  count.append(element('span', ` ${noun}${number === 1 ? '' : 's'}`, 'word'));
  return count;
}
