// The Markdown of the server as elements. No text becomes HTML.

/** The elements of a text: headings, paragraphs, lists, blocks of code; links to pages of the web only. */
export function markdown(source: string): DocumentFragment {
  const shown = document.createDocumentFragment();
  const lines = source.split('\n');
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length) {
      shown.append(filled('p', paragraph.join(' ')));
      paragraph = [];
    }
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const heading = /^(#{1,6}) +(.*)$/.exec(line);
    const item = /^ {0,3}([-*]|\d+\.) +(.*)$/.exec(line);
    if (/^ {0,3}```/.test(line)) {
      flush();
      const end = lines.findIndex((other, n) => n > i && /^ {0,3}```\s*$/.test(other));
      const last = end < 0 ? lines.length : end;
      shown.append(code(lines.slice(i + 1, last)));
      i = last;
    } else if (/^ {4}/.test(line) && !paragraph.length) {
      let last = i;
      while (last + 1 < lines.length && /^( {4}|\s*$)/.test(lines[last + 1] ?? '')) {
        last++;
      }
      shown.append(code(lines.slice(i, last + 1).map((l) => l.slice(4))));
      i = last;
    } else if (heading) {
      flush();
      shown.append(filled('h3', heading[2] ?? ''));
    } else if (item) {
      flush();
      const list = /\d/.test(item[1] ?? '') ? 'ol' : 'ul';
      const before = shown.lastElementChild;
      const target = before?.localName === list ? before : document.createElement(list);
      target.append(filled('li', item[2] ?? ''));
      shown.append(target);
    } else if (!line.trim()) {
      flush();
    } else if (/^( {0,3})([-*_])(\s*\2){2,}\s*$/.test(line)) {
      flush();
      shown.append(document.createElement('hr'));
    } else {
      paragraph.push(line.trim());
    }
  }
  flush();
  return shown;
}

function code(lines: string[]): HTMLElement {
  const block = document.createElement('pre');
  block.textContent = lines.join('\n').replace(/\s+$/, '');
  block.tabIndex = 0;
  return block;
}

function filled(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  inline(element, text);
  return element;
}

const INLINE = /`+([^`]+)`+|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|!?\[([^\]]*)\]\(([^)\s]*)\)|\\([\\`*_{}[\]()#+\-.!<>&|])/g;

function inline(target: HTMLElement, text: string): void {
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    target.append(text.slice(from, found.index));
    from = found.index + found[0].length;
    const [, quoted, strong, emphasis, label, address, escaped] = found;
    if (quoted !== undefined) {
      target.append(filledWith('code', quoted));
    } else if (strong !== undefined || emphasis !== undefined) {
      const element = document.createElement(strong === undefined ? 'em' : 'strong');
      inline(element, strong ?? emphasis ?? '');
      target.append(element);
    } else if (escaped !== undefined) {
      target.append(escaped);
    } else if (address && /^https?:/.test(address)) {
      const link = document.createElement('a');
      [link.href, link.target, link.rel] = [address, '_blank', 'noopener noreferrer'];
      link.textContent = label ?? address;
      target.append(link);
    } else {
      target.append(label ?? '');
    }
  }
  target.append(text.slice(from));
}

function filledWith(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
