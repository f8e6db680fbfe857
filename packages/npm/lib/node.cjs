// For `require`: all functions return promises anyway, so each can wait for the import.
'use strict';

const names = ['init', 'check', 'solve', 'format', 'convert', 'importText', 'exportText', 'draw', 'generate', 'answerLine'];
for (const name of names) {
  exports[name] = async (...given) => (await import('./node.js'))[name](...given);
}
