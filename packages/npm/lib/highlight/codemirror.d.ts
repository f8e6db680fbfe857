import type { LanguageSupport, StreamLanguage } from '@codemirror/language';

/** The language alone: colours, and `//` for comments. */
export declare const cpzLanguage: StreamLanguage<unknown>;

/** The extension for an editor of CodeMirror 6. */
export declare function cpz(): LanguageSupport;
