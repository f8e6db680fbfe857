/**
 * @file The cpz language: collections of chess puzzles.
 * @license MIT OR Apache-2.0
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

// The reserved words. `cargo test --test it grammar::` compares them, and the list of the scanner, with
// `src/text/syntax/keywords.rs`.
const GAMES = ['solitaire', 'chess', 'chess3d', 'draughts'];
const PROPERTIES = ['size', 'origin', 'turn', 'castling', 'en-passant', 'solutions', 'rules', 'author', 'source', 'note', 'hint', 'difficulty', 'id', 'condition'];
const FLAGS = ['half-duplex', 'zeroposition'];
const WORD_PROPERTIES = ['tags', 'allow'];
const VERBS = ['solve', 'count', 'mate', 'capture', 'line', 'win', 'draw'];
// `stalemate` is a keyword only before `in`.
const PROBLEMS = [
  'mate', 'stalemate', 'selfmate', 'selfstalemate', 'reflexmate', 'reflexstalemate', 'semireflexmate', 'semireflexstalemate',
  'helpmate', 'helpstalemate', 'helpselfmate', 'helpselfstalemate', 'seriesmate', 'seriesstalemate', 'serieshelpmate',
  'serieshelpstalemate', 'seriesselfmate', 'seriesselfstalemate',
];
const OTHER_SIDES = ['set-play', 'duplex'];

module.exports = grammar({
  name: 'cpz',

  // All tokens but the keywords come from the scanner, which cuts them as the server's lexer does:
  // what a word or a comment is depends on its neighbours. Its order is that of `enum Token` there.
  externals: $ => [
    $.comment,
    $.word,
    $.number,
    $._list_word,
    $._list_number,
    // The forms of a board.
    $._row,
    $._fen_word,
    $._pdn_word,
    $._text,
    $._fen_text,
    $._truth,
    // The parts of a move that is no list: `1.`, `exd8`, `e.p.`, `(Q)`, `+`.
    $._counter,
    $._move,
    $._passing,
    $._promoted,
    $._marks,
    // A word after another one, without a comma between them.
    $._more_word,
    $._more_number,
    // A keyword that is a word of an answer: `4 solutions`, `no mate in 2`.
    $._noun,
    // The name of a custom property.
    $._custom,
    // The fields of a FEN, on its line; the second one may have letters that the others have not.
    $._field,
    $._field_number,
    $._rights,
    // The name of a level of a cube.
    $._level,
    // The parts of the question of a chess problem: `in`, `2.5`, `#2`; short forms without a square or a length; these two,
    // `*` and `2.1.1.1` on the line of the word before them; and `#2` as the value of a property.
    $._in,
    $._length,
    $._short,
    $._short_nowhere,
    $._short_endless,
    $._place,
    $._number_behind,
    $._star,
    $._counts,
    $._inline,
    // What is on the line of `twin`.
    $._change,
    $._change_sign,
    $._change_string,
    $._change_remark,
    // The solution of a problem, which may have several lines.
    $._long,
    $.string,
    $._unclosed_string,
    $.remark,
    $._unclosed_remark,
    '[',
    ']',
    '{',
    '}',
    ',',
    '=>',
    // The scanner never emits this token, so an unclosed list becomes a missing end and no other error.
    $._closing,
  ],

  extras: $ => [
    /[ \t\r\n\x0B\x0C\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]/,
    $.comment,
  ],

  inline: $ => [$._plain, $._more, $._quoted, $._fields, $._one_field, $._remark],

  rules: {
    source_file: $ => repeat(choice($.property, $.puzzle)),

    puzzle: $ => seq(
      field('game', $.game),
      optional(field('name', choice(alias($.string, $.name), alias($._open_string, $.name)))),
      '{',
      repeat(choice($.property, $.board, $.query)),
      '}',
    ),

    game: _ => choice(...GAMES),

    property: $ => choice(
      seq(
        field('key', choice(alias(choice(...PROPERTIES), $.key), alias($._custom, $.key))),
        field('value', choice(alias($._items, $.list), $._quoted, $._plain, alias($._inline, $.word))),
      ),
      seq(
        field('key', alias(choice(...WORD_PROPERTIES), $.key)),
        choice(
          field('value', alias($._items, $.list)),
          seq(
            field('value', choice($._quoted, $._plain, alias($._inline, $.word))),
            repeat(choice(seq(',', field('value', choice($._quoted, $._plain))), field('value', choice($._quoted, $._more)))),
          ),
        ),
      ),
      seq(field('key', alias('unique', $.key)), optional(field('value', alias($._truth, $.word)))),
      field('key', alias(choice(...FLAGS), $.key)),
    ),

    board: $ => seq(
      'board',
      choice(
        $._lists,
        // A token of its own, because only a board's strings may contain line breaks.
        alias($._text, $.string),
        alias($._open_string, $.string),
        // The words after the placement of a FEN: the side to move and so on.
        seq(choice(alias($._fen_text, $.string), alias($._fen_word, $.row)), optional($._fields)),
        // An unquoted PDN position contains commas.
        seq(alias($._pdn_word, $.word), repeat(choice(seq(optional(','), $._plain), alias($._level, $.remark)))),
        repeat1(choice(alias($._row, $.row), alias($._level, $.remark))),
      ),
    ),


    _fields: $ => seq(
      $._one_field,
      optional(seq(
        choice(alias($._rights, $.word), alias($._field_number, $.number)),
        optional(seq($._one_field, optional(seq($._one_field, optional($._one_field))))),
      )),
    ),
    _one_field: $ => choice(alias($._field, $.word), alias($._field_number, $.number)),

    query: $ => choice(
      seq(
        choice(
          field('verb', alias(choice(...VERBS), $.verb)),
          seq(field('verb', alias('move', $.verb)), field('argument', $.argument)),
        ),
        optional(seq($.arrow, field('answer', $.answer), optional($._remark))),
      ),
      // The answer of a chess problem is a field of its own, so that a query can distinguish moves from other words.
      seq(
        choice(
          seq(field('verb', alias(choice(...PROBLEMS), $.verb)), field('argument', alias($._stipulation, $.argument))),
          seq(field('verb', alias($._short, $.verb)), optional(field('argument', alias($._rest, $.argument)))),
          seq(field('verb', alias($._short_nowhere, $.verb)), field('argument', alias($._at_square, $.argument))),
          seq(field('verb', alias($._short_endless, $.verb)), field('argument', alias($._with_length, $.argument))),
          seq(field('verb', alias('twin', $.verb)), field('changes', alias($._changes, $.argument))),
          field('verb', alias(choice(...OTHER_SIDES), $.verb)),
        ),
        optional(seq($.arrow, field('solution', alias($._solution, $.answer)), optional($._remark))),
      ),
    ),

    _stipulation: $ => seq(alias($._in, 'in'), alias($._length, $.number), optional($._rest)),
    _at_square: $ => seq(alias($._place, $.word), optional($._rest)),
    _with_length: $ => seq(alias($._number_behind, $.number), optional($._rest)),
    _rest: $ => choice(seq(alias($._star, '*'), optional(alias($._counts, $.number))), alias($._counts, $.number)),
    _changes: $ => seq(
      alias($._change, $.word),
      repeat(choice(
        alias($._change, $.word),
        alias($._change_sign, ','),
        alias($._change_string, $.string),
        alias($._change_remark, $.remark),
      )),
    ),
    _solution: $ => choice(
      seq(alias($._moves, $.list), repeat(seq(optional(','), alias($._moves, $.list)))),
      alias($._long, $.string),
      alias($._open_string, $.string),
      seq($._plain, repeat(choice(seq(',', $._plain), $._more, alias($._noun, $.word)))),
    ),
    _moves: $ => seq(
      '[',
      repeat(choice(
        field('move', choice(alias($._list_word, $.word), alias($._list_number, $.number), $._quoted)),
        alias($._moves, $.list),
        ',',
      )),
      ']',
    ),
    _remark: $ => field('remark', choice($.remark, alias($._open_remark, $.remark))),

    argument: $ => choice(
      $.list,
      seq(repeat1(alias($._counter, $.word)), optional($._spelled)),
      $._spelled,
    ),
    _spelled: $ => seq(
      alias($._move, $.word),
      optional(alias($._passing, $.word)),
      optional(seq(alias($._promoted, $.remark), optional(alias($._marks, $.word)))),
    ),
    arrow: _ => '=>',
    answer: $ => choice($._lists, $._quoted, seq($._plain, repeat(choice(seq(',', $._plain), $._more, alias($._noun, $.word))))),

    _lists: $ => seq($.list, repeat(seq(optional(','), $.list))),

    // In a list a keyword is a plain word: the scanner emits it as one.
    list: $ => seq(
      '[',
      repeat(choice($.list, $._quoted, alias($._list_word, $.word), alias($._list_number, $.number), ',')),
      ']',
    ),

    // The words of a property have a field, so that a query can distinguish them from those of a board.
    _items: $ => seq(
      '[',
      repeat(choice(
        field('item', choice(alias($._list_word, $.word), alias($._list_number, $.number), $._quoted)),
        alias($._items, $.list),
        ',',
      )),
      ']',
    ),

    _plain: $ => choice($.word, $.number),
    _more: $ => choice(alias($._more_word, $.word), alias($._more_number, $.number)),
    _quoted: $ => choice($.string, alias($._open_string, $.string)),
    _open_string: $ => seq($._unclosed_string, $._closing),
    _open_remark: $ => seq($._unclosed_remark, $._closing),
  },
});
