// A program in CommonJS.
import cpz = require('cpz-lang');

const checked: Promise<cpz.CheckDocument> = cpz.check('');
void checked.then(({ summary }) => summary.errors.toFixed());
