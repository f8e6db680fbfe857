// Which scenes run where. With CI_FULL=1 all of them run in both.

/** Whether everything is tested, which takes longer. */
export const isFull = process.env.CI_FULL === '1';

/** Those that need neither a disk nor a program, and run every day in VS Code for the Web alone. */
const WEB = [
  ...['picture', 'duplicate', 'commands', 'replace wrong solution', 'convert', 'walkthrough', 'first puzzle', 'colours', 'same colours'],
  ...['board of empty file', 'board by keyboard', 'board typed', 'board steps', 'problem cook'],
  ...['touch menu', 'touch by mouse', 'touch by keyboard', 'touch records moves'],
];

/** Those that could run in VS Code for the Web, and run every day in VS Code. */
const DESKTOP = ['insert all keeps the view', 'problem variations', 'board from text', 'touch while typing', 'gallery', 'repairs'];

/** Those that run every day in both. */
const BOTH = ['squiggle', 'lens', 'quick fix', 'drafts', 'problems', 'board'];

/** Those that run with CI_FULL=1 alone: each is like another one, or is slow. The offer is awaited before the first scene, too. */
const RARE_WEB = ['first offer', 'touch looks', 'board themes', 'gallery themes', 'choices of a command', 'board cubes', 'touch by finger'];
const RARE = [
  ...RARE_WEB,
  ...['server killed six times', 'file above 50 MB'],
  ...['server that is not a program', 'server that hangs', 'server that is not cpz', 'server that echoes'],
];

/**
 * The scenes of VS Code on a computer that run in VS Code for the Web too. `board parts` is not among them, because VS Code
 * 1.91 shows only for a moment that the panel has the focus, which that scene waits for.
 */
export const SHARED = [...WEB, ...DESKTOP, ...BOTH, ...RARE_WEB];

/** Whether a scene runs in VS Code; `only` is a part of the name of those that are wanted. */
export const runs = (name, only) => (only ? name.includes(only) : isFull || ![...WEB, ...RARE].includes(name));

/** Whether a scene of VS Code runs in VS Code for the Web. */
export const runsInWeb = (name, only) => SHARED.includes(name) && (only ? name.includes(only) : isFull || [...WEB, ...BOTH].includes(name));
