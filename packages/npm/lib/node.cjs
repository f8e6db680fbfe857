// For `require`: all functions return promises anyway, so each can wait for the import.
'use strict';

const names = [
  'init', 'check', 'fix', 'solve', 'repair', 'format', 'convert', 'importText', 'exportText', 'draw', 'printText',
  'diff', 'diffMarkdown', 'diffHtml', 'generate', 'rate', 'hint', 'sort', 'stats', 'plot', 'explain', 'codes', 'answerLine', 'schema',
];
for (const name of names) {
  exports[name] = async (...given) => (await import('./node.js'))[name](...given);
}
