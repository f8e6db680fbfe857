"""The lexer for Pygments: colours of puzzles in Sphinx, MkDocs, pygmentize and so on."""

from __future__ import annotations

import re
from typing import Any, Iterator

from pygments.lexer import Lexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace

from cpz import _cpz

# The token types of the language server, by which editors colour, and those of Pygments.
TOKENS = {
    "keyword": Keyword,
    "property": Name.Attribute,
    "function": Name.Function,
    "class": Name.Class,
    "string": String,
    "number": Number,
    "enumMember": Name.Constant,
    "comment": Comment,
    "variable": Name.Variable,
    "operator": Operator,
    "parameter": Name.Entity,
}
# What stands between the coloured parts.
_BETWEEN = re.compile(r"(\s+)|([\[\]{},]+)|(?:[^\s\[\]{},]+)")
_SURROGATE = re.compile("[\ud800-\udfff]")


class CpzLexer(Lexer):
    """Puzzles of cpz. The colours are those of the language server, for the parser of cpz finds the parts of the text."""

    name = "cpz"
    aliases = ["cpz"]
    filenames = ["*.cpz"]
    mimetypes = ["text/x-cpz"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """The tokens of a text, which together are the text."""
        end = 0
        # A half of a character, of which Python can make a string, is no text to others.
        for start, stop, kind in _cpz._coloured_parts(_SURROGATE.sub("\ufffd", text)):
            yield from _between(text, end, start)
            yield start, TOKENS[kind], text[start:stop]
            end = stop
        yield from _between(text, end, len(text))


def _between(text: str, start: int, stop: int) -> Iterator[tuple[int, Any, str]]:
    for match in _BETWEEN.finditer(text, start, stop):
        kind = Whitespace if match[1] else Punctuation if match[2] else Text
        yield match.start(), kind, match[0]
