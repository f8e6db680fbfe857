// The name of the text at the server. The page has one text; it is in no folder, so that no configuration is looked for.

export const URI = 'untitled:puzzles.cpz';
