// External scanner: the same tokens as those of the server's lexer.
//
// State: three bits, whether `//` directly after the last token begins a word instead of a comment, and whether that token
// is a number, or the word `no`.
// Every path either consumes a token of at least one character or nothing, so the parser cannot loop.

#include "tree_sitter/parser.h"

#include <stdlib.h>
#include <string.h>

// In the order of `externals` in grammar.js.
enum Token {
  COMMENT,
  WORD,
  NUMBER,
  LIST_WORD,
  LIST_NUMBER,
  ROW,
  FEN_WORD,
  PDN_WORD,
  TEXT,
  FEN_TEXT,
  TRUTH,
  COUNTER,
  MOVE,
  PASSING,
  PROMOTED,
  MARKS,
  MORE_WORD,
  MORE_NUMBER,
  NOUN,
  CUSTOM,
  FIELD,
  FIELD_NUMBER,
  RIGHTS,
  LEVEL,
  IN,
  LENGTH,
  SHORT,
  SHORT_NOWHERE,
  SHORT_ENDLESS,
  PLACE,
  NUMBER_BEHIND,
  STAR,
  COUNTS,
  INLINE,
  CHANGE,
  CHANGE_SIGN,
  CHANGE_STRING,
  CHANGE_REMARK,
  LONG,
  STRING,
  UNCLOSED_STRING,
  REMARK,
  UNCLOSED_REMARK,
  LBRACKET,
  RBRACKET,
  LBRACE,
  RBRACE,
  COMMA,
  ARROW,
  CLOSING,
};

typedef struct {
  // The last token was a string, a remark or an arrow: `//` directly after it begins a word.
  bool after_text;
  // The last token was a number outside of lists: `solutions` behind it is a word.
  bool after_number;
  // The last token was the word `no` outside of lists: `mate in 2` behind it is words.
  bool after_no;
  // The last token was a part of a twin that ends with `=`, and `=>` touches it: Popeye's `Substitute B ==> S`.
  bool joins_arrow;
} Scanner;

static const char *const KEYWORDS[] = {
  "solitaire", "chess", "chess3d", "draughts",
  "size", "origin", "turn", "castling", "en-passant", "solutions", "rules", "unique", "author", "source", "note",
  "hint", "difficulty", "id", "condition", "half-duplex", "zeroposition", "tags", "allow",
  "board",
  "solve", "count", "move", "mate", "selfmate", "selfstalemate", "reflexmate", "reflexstalemate", "semireflexmate",
  "semireflexstalemate", "helpmate", "helpstalemate", "helpselfmate", "helpselfstalemate", "seriesmate", "seriesstalemate",
  "serieshelpmate", "serieshelpstalemate", "seriesselfmate", "seriesselfstalemate", "twin", "set-play", "duplex", "win",
  "draw", "capture", "line",
};

// A keyword where `in` follows it on its line.
#define BEFORE_IN "stalemate"

// The beginnings of short forms, and the signs of their goals.
static const char *const PLAYS[] = {
  "", "s", "r", "h", "hs", "hr", "semi-r", "reci-h",
  "ser-", "ser-s", "ser-r", "ser-h", "ser-hs", "ser-hr", "ser-semi-r",
  "pser-", "pser-s", "pser-r", "pser-h", "phser-", "phser-s", "phser-r",
};
static const char *const GOALS[] = {
  "#", "=", "+", "x", "z", "##", "##!", "#=", "==", "!=", "!#", "%", "ep", "ct", "ctr", "<>", "<>r", "00", "~", "dia",
};

// Stored characters of a word; longer than any keyword, and than any short form up to the digits at its end.
#define MAX_START 48
#define MAX_FORM 32

// Lookahead from a keyword in a list to its closing bracket, in tokens and gaps.
#define MAX_LOOKAHEAD 400

static bool is_space(int32_t c) {
  return (c >= '\t' && c <= '\r') || c == ' ' || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000 || c == 0xFEFF;
}

static bool is_line_end(int32_t c) { return c == '\n' || c == '\r'; }

static bool is_control(int32_t c) {
  return (c >= 0 && c <= 8) || (c >= 0x0E && c <= 0x1F) || c == 0x7F;
}

// Characters without a width, which are always an error outside of strings, remarks and comments.
static bool is_invisible(int32_t c) {
  return c == 0xAD || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x2064) || (c >= 0x2066 && c <= 0x2069);
}

// The full-width forms of parentheses, brackets, braces and the comma, which are always an error there too.
static bool is_full_width(int32_t c) {
  return c == 0xFF08 || c == 0xFF09 || c == 0xFF0C || c == 0xFF3B || c == 0xFF3D || c == 0xFF5B || c == 0xFF5D;
}

// Whether a character is in no token.
static bool is_foreign(int32_t c) { return is_control(c) || is_invisible(c) || is_full_width(c); }

// Whether a character ends a word. An arrow ends a word too; `read_word` checks it.
static bool ends_word(int32_t c) {
  switch (c) {
    case '"': case '\'': case '[': case ']': case '{': case '}': case '(': case ')': case ',':
      return true;
    default:
      return is_space(c) || is_foreign(c);
  }
}

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static bool at_end(TSLexer *lexer) { return lexer->eof(lexer); }

static bool at_line_end(TSLexer *lexer) { return at_end(lexer) || is_line_end(lexer->lookahead); }

// The properties of a word by which tokens are told apart.
typedef struct {
  char start[MAX_START];
  // How many characters are stored: all of them, but for the digits at the end of a long word.
  uint32_t stored;
  int32_t first, second, before_last, last;
  uint32_t length;
  bool number, slash, colon, name;
  // Whether a digit is in it, and whether it ends with `/`.
  bool digit, open_rank;
  // Whether a rank between its slashes is empty.
  bool empty_rank;
  // Whether it is digits and then dots, and whether it ends with the dots.
  bool counter, dots;
  // Whether it is digits with single dots between them, and how many dots; the last one may be at its end.
  bool numbers;
  // Whether it is such numbers with a star behind them.
  bool starred;
  uint32_t points;
  // The number of marks of check and judgements at its end.
  uint32_t tail;
  // `=>` follows; its first character is consumed already.
  bool before_arrow;
} Word;

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static void take(TSLexer *lexer, Word *word) {
  int32_t c = lexer->lookahead;
  // Many digits are as good as one.
  bool digit = c >= '0' && c <= '9', more = digit && word->last >= '0' && word->last <= '9';
  if (word->stored < MAX_START && !(word->stored > MAX_FORM && more)) word->start[word->stored++] = c < 0x80 ? (char)c : '?';
  bool point = c == '.' && word->last >= '0' && word->last <= '9';
  word->starred = c == '*' && word->length > 0 && word->numbers && is_digit(word->last);
  word->numbers = (word->length == 0 || word->numbers) && (digit || point);
  word->points += point;
  if (word->length == 0) word->first = c;
  if (word->length == 1) word->second = c;
  bool sign = word->length == 0 && c == '-';
  word->number = (word->length == 0 || word->number) && (digit || sign);
  bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  word->name = (word->length == 0 || word->name) && (letter || digit || c == '-' || c == '_');
  word->digit = word->digit || digit;
  word->empty_rank = word->empty_rank || (c == '/' && (word->length == 0 || word->open_rank));
  word->open_rank = c == '/';
  bool dot = c == '.' || c == 0x2026;
  word->counter = (word->length == 0 || word->counter) && (dot || (digit && !word->dots));
  word->dots = dot;
  word->tail = c == '+' || c == '#' || c == '!' || c == '?' ? word->tail + 1 : 0;
  word->slash = word->slash || c == '/';
  word->colon = word->colon || c == ':';
  word->length++;
  word->before_last = word->last;
  word->last = c;
  advance(lexer);
}

// Takes `(Q)` behind the name of a square on a last rank: what a pawn becomes. Where something else is in the parentheses, some of
// it is consumed, and the word ends before.
static bool take_promotion(TSLexer *lexer, Word *word) {
  bool is_square = word->before_last >= 'a' && word->before_last <= 'h' && (word->last == '1' || word->last == '8');
  if (!is_square || lexer->lookahead != '(') return false;
  Word promoted = *word;
  take(lexer, &promoted);
  if (lexer->lookahead == '=') take(lexer, &promoted);
  int32_t c = lexer->lookahead;
  bool letter = c >= 'A' && c <= 'Z';
  if (at_end(lexer) || !letter || c == 'I' || c == 'V' || c == 'X') return false;
  take(lexer, &promoted);
  if (at_end(lexer) || lexer->lookahead != ')') return false;
  take(lexer, &promoted);
  *word = promoted;
  return true;
}

// Reads a word; `mark` marks its end. The word is empty if an arrow is next.
static Word read_word(TSLexer *lexer, bool mark) {
  Word word = {0};
  while (!at_end(lexer) && (!ends_word(lexer->lookahead) || lexer->lookahead == '(')) {
    if (lexer->lookahead == '(') {
      if (!take_promotion(lexer, &word)) break;
    } else if (lexer->lookahead == '=') {
      if (mark) lexer->mark_end(lexer);
      Word before = word;
      take(lexer, &word);
      if (!at_end(lexer) && lexer->lookahead == '>') {
        before.before_arrow = true;
        return before;
      }
    } else {
      take(lexer, &word);
    }
    if (mark) lexer->mark_end(lexer);
  }
  if (word.length == 1 && word.start[0] == '-') word.number = false;
  return word;
}

static bool is(const Word *word, const char *text) {
  return word->length == strlen(text) && word->length <= word->stored && memcmp(word->start, text, word->length) == 0;
}

static bool is_keyword(const Word *word) {
  if (word->length >= MAX_START) return false;
  for (size_t i = 0; i < sizeof KEYWORDS / sizeof *KEYWORDS; i++) {
    if (is(word, KEYWORDS[i])) return true;
  }
  return false;
}

// Whether a word is a number of moves, `2`, `2.5`, `2*`; or numbers with dots between them: `2.1.1.1`.
static bool is_length(const Word *word) {
  return word->points < 2 && (word->starred || (word->numbers && is_digit(word->last)));
}
static bool is_counts(const Word *word) { return word->numbers && word->points > 0 && is_digit(word->last); }

// Whether a text is the name of a square and more.
static bool has_square(const char *text, const char *end) {
  return end - text > 1 && text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
}

static bool is_square(const Word *word) {
  return word->length == 2 && has_square(word->start, word->start + 2);
}

// Whether a text is a number of moves.
static bool is_number_of_moves(const char *text, const char *end) {
  uint32_t points = 0;
  if (text == end || !is_digit(*text) || !is_digit(end[-1])) return false;
  for (; text < end; text++) {
    if (*text == '.') points++;
    else if (!is_digit(*text)) return false;
  }
  return points < 2;
}

static bool skip_text(const char **text, const char *end, const char *prefix) {
  size_t length = strlen(prefix);
  if ((size_t)(end - *text) < length || memcmp(*text, prefix, length) != 0) return false;
  *text += length;
  return true;
}

// What a word is as a short form, and what it lacks.
enum Form { NO_FORM, WHOLE, NOWHERE, ENDLESS };

static enum Form short_form(const Word *word) {
  const char *text = word->start, *end = text + word->stored;
  if (word->stored < 2 || word->stored == MAX_START) return NO_FORM;
  if (end - text == 2 && memcmp(text, "+-", 2) == 0) return WHOLE;
  // A series before the problem: `3->ser-h#5`.
  const char *behind = text;
  while (behind < end && is_digit(*behind)) behind++;
  bool series = behind > text && skip_text(&behind, end, "->");
  if (series) text = behind;
  if (text == end) return NO_FORM;
  if (!(*text >= 'a' && *text <= 'z') && strchr("#=+!", *text) == NULL) return NO_FORM;
  if (end[-1] == '*') end--;
  if (!is_digit(end[-1])) return NO_FORM;
  bool exact = skip_text(&text, end, "exact-");
  for (size_t i = 0; i < sizeof PLAYS / sizeof *PLAYS; i++) {
    const char *behind_play = text;
    if (!skip_text(&behind_play, end, PLAYS[i])) continue;
    for (size_t j = 0; j < sizeof GOALS / sizeof *GOALS; j++) {
      const char *rest = behind_play;
      if (!skip_text(&rest, end, GOALS[j])) continue;
      bool arrival = strcmp(GOALS[j], "z") == 0, square = arrival && has_square(rest, end);
      const char *play = PLAYS[i];
      bool solved = strcmp(play, "") == 0 || strcmp(play, "s") == 0 || strcmp(play, "h") == 0 || strcmp(play, "ser-h") == 0;
      if (square) rest += 2;
      if (square && rest == end && solved && !exact) return series ? WHOLE : ENDLESS;
      if (is_number_of_moves(rest, end)) return arrival && !square && solved && !exact && !series ? NOWHERE : WHOLE;
    }
  }
  return NO_FORM;
}

// Whether a word is the placement of a FEN.
static bool is_placement(const Word *word) {
  return word->slash && (word->digit || !(word->empty_rank || word->open_rank));
}

static bool is_made_of(const Word *word, const char *letters) {
  if (word->length > 4) return false;
  for (uint32_t i = 0; i < word->length; i++) {
    if (strchr(letters, word->start[i]) == NULL) return false;
  }
  return true;
}

// Whether a word is a field of a FEN; `rights` are castling rights, which may name files.
static bool is_field(const Word *word, bool rights) {
  const char *start = word->start;
  if (word->length == 1 && strchr("-wbWB", start[0]) != NULL) return true;
  if (is(word, "white") || is(word, "black")) return true;
  if (word->number && start[0] != '-') return true;
  if (is_made_of(word, "KQkq") || (rights && is_made_of(word, "KQkqABCDEFGHabcdefgh"))) return true;
  char file = (char)(start[0] | 0x20);
  return word->length == 2 && file >= 'a' && file <= 'h' && start[1] >= '0' && start[1] <= '9';
}

// Whether a word is the name of a custom property.
static bool is_custom(const Word *word) {
  char first = word->length > 2 ? word->start[2] | 0x20 : 0;
  return word->name && first >= 'a' && first <= 'z' && word->start[0] == 'x' && word->start[1] == '-';
}

static bool is_in_any_case(const Word *word, const char *lower) {
  if (word->length != strlen(lower)) return false;
  for (uint32_t i = 0; i < word->length; i++) {
    if ((word->start[i] | 0x20) != lower[i]) return false;
  }
  return true;
}

// Whether a word is the number of a move, or dots.
static bool is_counter(const Word *word) { return word->counter && word->dots; }

// Whether a word behind a move says that it captures en passant.
static bool is_passing(const Word *word) {
  static const char *const WORDS[] = {"e.p.", "ep.", "e.p", "ep"};
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
    size_t length = strlen(WORDS[i]);
    if (word->length >= length && memcmp(word->start, WORDS[i], length) == 0) {
      return word->tail == word->length - length;
    }
  }
  return false;
}

// Whether a word is a slip for an arrow.
static bool is_arrow_slip(const Word *word) {
  static const char *const ASCII[] = {"=", "==", "-", "->", "-->", ":", ":=", ">", ">="};
  for (size_t i = 0; i < sizeof ASCII / sizeof *ASCII; i++) {
    if (is(word, ASCII[i])) return true;
  }
  int32_t first = word->first, second = word->second;
  if (word->length == 1) {
    return first == 0x2192 || first == 0x21D2 || first == 0x27F6 || first == 0x27F9 || first == 0x2013;
  }
  if (word->length != 2) return false;
  // A dash and `>`, and an arrow of full-width signs.
  return (second == '>' && (first == 0x2013 || first == 0x2014)) || (second == 0xFF1E && (first == '=' || first == 0xFF1D));
}

// Whether a word is the marker of a merge conflict, if it begins its line.
static bool is_merge_marker(const Word *word) {
  return is(word, "<<<<<<<") || is(word, "|||||||") || is(word, "=======") || is(word, ">>>>>>>");
}

static void skip_line(TSLexer *lexer) {
  while (!at_line_end(lexer)) advance(lexer);
}

// Reads a remark from its `(`. Returns whether it is closed on its line.
static bool read_remark(TSLexer *lexer) {
  uint32_t depth = 0;
  while (!at_line_end(lexer)) {
    int32_t c = lexer->lookahead;
    advance(lexer);
    if (c == '(') depth++;
    if (c == ')' && --depth == 0) return true;
  }
  return false;
}

// Whether a word of a remark may be in the name of a level.
static bool is_level_word(const char *word, uint32_t length) {
  static const char *const WORDS[] = {"level", "top", "bottom"};
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
    if (length == strlen(WORDS[i]) && memcmp(word, WORDS[i], length) == 0) return true;
  }
  for (uint32_t i = 0; i < length; i++) {
    if (strchr("IVXivx", word[i]) == NULL) return false;
  }
  return true;
}

// What a remark says.
typedef struct {
  // Whether it is closed on its line.
  bool closed;
  // Whether it is the name of a level, such as `(I)`, and whether it is the letter of a piece, such as `(Q)`.
  bool level, piece;
} Remark;

// Reads a remark like `read_remark`, and what it says.
static Remark read_meaning(TSLexer *lexer) {
  Remark remark = {0};
  uint32_t depth = 0, words = 0, length = 0, letters = 0;
  char word[8];
  // Parentheses count only at either end.
  bool is_name = true, started = false, closing = false, is_letter = false;
  while (!at_line_end(lexer)) {
    int32_t c = lexer->lookahead;
    advance(lexer);
    if (c == '(') depth++;
    if (c == ')') depth--;
    if ((c == '(' && started) || (c != ')' && closing)) is_name = false;
    bool mark = c == '(' || c == ')';
    closing = closing || c == ')';
    started = started || !mark;
    if (!mark && c != '=') {
      letters++;
      is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
    if (!mark && !is_space(c)) {
      if (length == sizeof word || c >= 0x80) is_name = false;
      else word[length++] = (char)c;
    } else if (length > 0) {
      words++;
      is_name = is_name && is_level_word(word, length);
      length = 0;
    }
    if (depth == 0) {
      remark.closed = true;
      remark.level = is_name && words > 0;
      remark.piece = letters == 1 && is_letter;
      break;
    }
  }
  return remark;
}

// Reads a string from its quote and marks its end; `has_lines` says that it may have several. An invisible character makes the text of a board a string that lacks
// its end, because the server minds it there.
static enum Token read_string(TSLexer *lexer, bool is_board, bool has_lines) {
  int32_t quote = lexer->lookahead;
  bool slash = false, invisible = false;
  advance(lexer);
  while (!at_line_end(lexer) && lexer->lookahead != quote) {
    slash = slash || lexer->lookahead == '/';
    invisible = invisible || is_invisible(lexer->lookahead);
    advance(lexer);
  }
  lexer->mark_end(lexer);
  if (has_lines && !at_end(lexer) && lexer->lookahead != quote) {
    // A string of several lines contains no brace. A quote behind a keyword opens the string of that keyword.
    bool after_keyword = false, after_gap = false;
    while (!at_end(lexer) && lexer->lookahead != quote) {
      int32_t c = lexer->lookahead;
      if (c == '{' || c == '}') return UNCLOSED_STRING;
      slash = slash || c == '/';
      invisible = invisible || is_invisible(c);
      after_gap = c == ' ' || c == '\t' || c == '[';
      advance(lexer);
      if (!is_line_end(c)) continue;
      while (lexer->lookahead == ' ' || lexer->lookahead == '\t') advance(lexer);
      Word word = read_word(lexer, false);
      slash = slash || word.slash;
      after_keyword = is_keyword(&word) || is_custom(&word);
      after_gap = false;
    }
    if (after_keyword && after_gap) return UNCLOSED_STRING;
  }
  if (at_end(lexer) || lexer->lookahead != quote) return UNCLOSED_STRING;
  advance(lexer);
  lexer->mark_end(lexer);
  if (!is_board) return STRING;
  if (invisible) return UNCLOSED_STRING;
  return slash ? FEN_TEXT : TEXT;
}

// Called after a keyword inside `[`: whether the matching `]` comes before a brace or an arrow.
// The end of the token is marked already, so the lookahead consumes nothing.
static bool is_closed(TSLexer *lexer, bool before_arrow) {
  if (before_arrow) return false;
  uint32_t depth = 0;
  bool can_comment = false;
  for (uint32_t n = 0; n < MAX_LOOKAHEAD; n++) {
    if (at_end(lexer)) return false;
    int32_t c = lexer->lookahead;
    switch (c) {
      case '{': case '}':
        return false;
      case '[':
        depth++;
        advance(lexer);
        can_comment = true;
        break;
      case ']':
        if (depth-- == 0) return true;
        advance(lexer);
        can_comment = true;
        break;
      case ',':
        advance(lexer);
        can_comment = true;
        break;
      case '(':
        read_remark(lexer);
        can_comment = false;
        break;
      case ')':
        advance(lexer);
        can_comment = false;
        break;
      case '"': case '\'': {
        advance(lexer);
        while (!at_line_end(lexer) && lexer->lookahead != c) advance(lexer);
        if (!at_line_end(lexer)) advance(lexer);
        can_comment = false;
        break;
      }
      default:
        if (is_space(c)) {
          advance(lexer);
          can_comment = true;
        } else if (is_foreign(c)) {
          advance(lexer);
          can_comment = false;
        } else {
          if (can_comment && c == '/') {
            advance(lexer);
            if (!at_end(lexer) && lexer->lookahead == '/') {
              skip_line(lexer);
              break;
            }
          }
          Word word = read_word(lexer, false);
          if (word.before_arrow) return false;
          can_comment = false;
        }
    }
  }
  // The list is longer than the lookahead: assume that it is closed.
  return true;
}

static void skip_blanks(TSLexer *lexer) {
  while (!at_line_end(lexer) && is_space(lexer->lookahead)) advance(lexer);
}

// Called after a word: whether a string or a list follows, which is the value of a property.
static bool has_value_behind(TSLexer *lexer) {
  while (is_space(lexer->lookahead)) advance(lexer);
  return lexer->lookahead == '"' || lexer->lookahead == '\'' || lexer->lookahead == '[';
}

// Whether a word is that of a problem.
static bool is_problem(const Word *word) {
  return is(word, BEFORE_IN) ||
         (is_keyword(word) && word->length >= 4 && memcmp(word->start + word->length - 4, "mate", 4) == 0);
}

// Whether a word behind the letter of a twin begins the next item: a keyword that no change has.
static bool ends_twin(const Word *word) {
  bool is_game = is(word, "solitaire") || is(word, "chess") || is(word, "chess3d") || is(word, "draughts");
  bool is_change = is_problem(word) || is(word, "turn") || is(word, "move");
  return is_custom(word) || (is_keyword(word) && !is_game && !is_change);
}

// Called after `stalemate`, and after a keyword behind the word `no`: reads the word `in` on the line.
static Word read_in(TSLexer *lexer) {
  skip_blanks(lexer);
  Word none = {0};
  return lexer->lookahead == 'i' ? read_word(lexer, false) : none;
}

// Called after the word `in` behind a keyword behind the word `no`: whether a number of moves follows on the line.
static bool is_unsolved(TSLexer *lexer) {
  skip_blanks(lexer);
  Word number = read_word(lexer, false);
  return is_length(&number);
}

static bool found(Scanner *scanner, TSLexer *lexer, enum Token token) {
  scanner->after_text = token == ARROW || (token >= TEXT && token <= UNCLOSED_REMARK);
  scanner->after_no = false;
  scanner->joins_arrow = false;
  scanner->after_number = token == NUMBER || token == MORE_NUMBER;
  lexer->result_symbol = token;
  return true;
}

void *tree_sitter_cpz_external_scanner_create(void) { return calloc(1, sizeof(Scanner)); }

void tree_sitter_cpz_external_scanner_destroy(void *payload) { free(payload); }

unsigned tree_sitter_cpz_external_scanner_serialize(void *payload, char *buffer) {
  Scanner *scanner = payload;
  buffer[0] = (char)(scanner->after_text | scanner->after_number << 1 | scanner->after_no << 2 |
                     scanner->joins_arrow << 3);
  return 1;
}

void tree_sitter_cpz_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  Scanner *scanner = payload;
  scanner->after_text = length > 0 && (buffer[0] & 1) != 0;
  scanner->after_number = length > 0 && (buffer[0] & 2) != 0;
  scanner->after_no = length > 0 && (buffer[0] & 4) != 0;
  scanner->joins_arrow = length > 0 && (buffer[0] & 8) != 0;
}

bool tree_sitter_cpz_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  Scanner *scanner = payload;
  // All tokens are valid at once only during error recovery.
  bool recovering = valid[CLOSING] && valid[COMMA] && valid[LBRACE];
  bool can_comment = !scanner->after_text;
  bool new_line = false, begins_line = false;
  while (!at_end(lexer) && is_space(lexer->lookahead)) {
    int32_t c = lexer->lookahead;
    new_line = new_line || is_line_end(c);
    begins_line = is_line_end(c) || (begins_line && (c == ' ' || c == '\t'));
    lexer->advance(lexer, true);
    can_comment = true;
  }
  if (at_end(lexer)) return false;
  // The line of `twin` goes on.
  bool changes = valid[CHANGE] && !new_line && !recovering;

  enum Token single;
  switch (lexer->lookahead) {
    case '[': single = LBRACKET; break;
    case ']': single = RBRACKET; break;
    case '{': single = LBRACE; break;
    case '}': single = RBRACE; break;
    case ',': single = COMMA; break;
    case ')': single = CHANGE_SIGN; break;
    case '(': {
      Remark remark = read_meaning(lexer);
      lexer->mark_end(lexer);
      if (changes && remark.closed) return found(scanner, lexer, CHANGE_REMARK);
      if (remark.level && valid[LEVEL] && !recovering) return found(scanner, lexer, LEVEL);
      if (remark.piece && valid[PROMOTED] && !recovering) return found(scanner, lexer, PROMOTED);
      return found(scanner, lexer, remark.closed ? REMARK : UNCLOSED_REMARK);
    }
    case '"': case '\'':
    {
      bool is_board = valid[TEXT] && !recovering, is_long = valid[LONG] && !recovering;
      enum Token token = read_string(lexer, is_board, is_board || is_long);
      if (token == STRING && changes) return found(scanner, lexer, CHANGE_STRING);
      return found(scanner, lexer, token == STRING && is_long ? LONG : token);
    }
    default:
      if (is_foreign(lexer->lookahead)) return false;
      single = CLOSING;
  }
  if (single != CLOSING) {
    bool is_sign = changes && single != LBRACE && single != RBRACE;
    if (single == CHANGE_SIGN && !is_sign) return false;
    advance(lexer);
    lexer->mark_end(lexer);
    found(scanner, lexer, is_sign ? CHANGE_SIGN : single);
    scanner->after_text = single == CHANGE_SIGN;
    return true;
  }

  Word word = read_word(lexer, true);
  if (word.length == 0) {
    // `read_word` consumed the `=` of the arrow; `>` is next.
    advance(lexer);
    lexer->mark_end(lexer);
    bool joined = changes && scanner->joins_arrow;
    found(scanner, lexer, joined ? CHANGE_SIGN : ARROW);
    scanner->after_text = true;
    return true;
  }
  if (can_comment && word.start[0] == '/' && word.length > 1 && word.start[1] == '/') {
    // An arrow or a quote ends a word, but not a comment.
    skip_line(lexer);
    lexer->mark_end(lexer);
    return found(scanner, lexer, COMMENT);
  }
  // A character behind the marker makes it a word.
  bool stands_alone = at_end(lexer) || is_space(lexer->lookahead);
  if (begins_line && stands_alone && is_merge_marker(&word)) return false;
  bool counted = scanner->after_number && !new_line && is(&word, "solutions");
  if (counted && valid[NOUN] && !recovering && !has_value_behind(lexer)) return found(scanner, lexer, NOUN);
  if (changes && !ends_twin(&word)) {
    found(scanner, lexer, CHANGE);
    scanner->joins_arrow = word.before_arrow && word.last == '=';
    return true;
  }
  bool after_no = scanner->after_no && !new_line && valid[NOUN] && !recovering && is_problem(&word);
  bool before_in = false, before_arrow = word.before_arrow;
  if (after_no || is(&word, BEFORE_IN)) {
    Word in = read_in(lexer);
    before_in = is(&in, "in");
    before_arrow = before_arrow || in.before_arrow;
    if (after_no && before_in && is_unsolved(lexer)) return found(scanner, lexer, NOUN);
  }
  enum Form form = short_form(&word);
  if (form || is_keyword(&word) || (is(&word, BEFORE_IN) && before_in)) {
    if (!recovering && valid[LIST_WORD] && is_closed(lexer, before_arrow)) return found(scanner, lexer, LIST_WORD);
    if (!form) return false;
    if (valid[INLINE] && !new_line && !recovering) return found(scanner, lexer, INLINE);
    return found(scanner, lexer, form == WHOLE ? SHORT : form == NOWHERE ? SHORT_NOWHERE : SHORT_ENDLESS);
  }
  // Where a row may stand, the name is no row, even if no property may stand there.
  if (is_custom(&word) && (valid[CUSTOM] || valid[ROW])) return found(scanner, lexer, CUSTOM);
  if (recovering) return found(scanner, lexer, word.number ? NUMBER : WORD);
  if (valid[MORE_WORD]) {
    return !is_arrow_slip(&word) && found(scanner, lexer, word.number ? MORE_NUMBER : MORE_WORD);
  }
  if (valid[LIST_WORD]) return found(scanner, lexer, word.number ? LIST_NUMBER : LIST_WORD);
  if (valid[IN] && !new_line && is(&word, "in")) return found(scanner, lexer, IN);
  if (valid[LENGTH] && is_length(&word)) return found(scanner, lexer, LENGTH);
  if (valid[PLACE] && !new_line && is_square(&word)) return found(scanner, lexer, PLACE);
  if (valid[NUMBER_BEHIND] && !new_line && is_length(&word)) return found(scanner, lexer, NUMBER_BEHIND);
  if (valid[STAR] && !new_line && is(&word, "*")) return found(scanner, lexer, STAR);
  if (valid[COUNTS] && !new_line && is_counts(&word)) return found(scanner, lexer, COUNTS);
  if (valid[TRUTH] && (is_in_any_case(&word, "true") || is_in_any_case(&word, "false"))) {
    return found(scanner, lexer, TRUTH);
  }
  if (valid[COUNTER] && is_counter(&word)) return found(scanner, lexer, COUNTER);
  if (valid[MOVE] && !is_arrow_slip(&word) && !is_custom(&word)) return found(scanner, lexer, MOVE);
  if (valid[PASSING] && is_passing(&word)) return found(scanner, lexer, PASSING);
  if (valid[MARKS] && word.tail == word.length) return found(scanner, lexer, MARKS);
  if (valid[FIELD] || valid[RIGHTS]) {
    if (new_line || !is_field(&word, valid[RIGHTS])) return false;
    return found(scanner, lexer, word.number && word.start[0] != '-' ? FIELD_NUMBER : valid[RIGHTS] ? RIGHTS : FIELD);
  }
  if (valid[FEN_WORD] && is_placement(&word)) return found(scanner, lexer, FEN_WORD);
  if (valid[PDN_WORD] && word.colon) return found(scanner, lexer, PDN_WORD);
  if (valid[ROW]) return found(scanner, lexer, ROW);
  found(scanner, lexer, word.number ? NUMBER : WORD);
  scanner->after_no = is(&word, "no");
  return true;
}
