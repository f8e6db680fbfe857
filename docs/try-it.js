// Adds "Try it" to the puzzles of the manual: a link that opens them in the page for browsers, if that is in the folder
// `web` beside the book. The text is in the fragment of the link, as the page writes it.
(() => {
  const fragmentOf = (text) => {
    const characters = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
    return `#t=${btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
  };
  const addLinks = (page) => {
    for (const code of document.querySelectorAll('pre > code.language-cpz')) {
      const link = document.createElement('a');
      [link.href, link.textContent, link.className] = [page + fragmentOf(code.textContent), 'Try it', 'try-it'];
      code.parentElement.after(link);
    }
  };
  // The root of the book, as its pages know it.
  const page = `${typeof path_to_root === 'string' ? path_to_root : ''}web/`;
  fetch(`${page}manifest.webmanifest`, { method: 'HEAD' }).then(
    ({ ok }) => ok && addLinks(page),
    () => undefined,
  );
})();
