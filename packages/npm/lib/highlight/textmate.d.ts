/** The TextMate grammar, in the form that Shiki and other programs with TextMate grammars take. */
declare const grammar: {
  name: string;
  scopeName: string;
  fileTypes: string[];
  patterns: object[];
  repository: Record<string, object>;
};
export default grammar;
