"""Draws positions, asks a library for Python about them, and gives both to the test program of cpz: see `compare`."""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from typing import Iterator

import chess
import draughts

BATCH = 5_000
# Of so many positions, the names of the moves of one are compared too: they take most of the time.
NAMED = 10
KINDS = [chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN, chess.PAWN]
# A position with too many pieces or checks is one all the same.
FAULTS = ~(
    chess.STATUS_TOO_MANY_WHITE_PAWNS
    | chess.STATUS_TOO_MANY_BLACK_PAWNS
    | chess.STATUS_TOO_MANY_WHITE_PIECES
    | chess.STATUS_TOO_MANY_BLACK_PIECES
    | chess.STATUS_TOO_MANY_CHECKERS
    | chess.STATUS_IMPOSSIBLE_CHECK
)


def chess_lines(rng: random.Random) -> Iterator[str]:
    """Positions of random games from the first position, and of short ones from placed pieces."""
    while True:
        is_placed = rng.random() < 0.5
        board = placed(rng) if is_placed else chess.Board()
        for _ in range(rng.randrange(1, 8) if is_placed else rng.randrange(1, 200)):
            moves = list(board.legal_moves)
            yield chess_line(board, moves, rng.randrange(NAMED) == 0)
            if not moves:
                break
            board.push(rng.choice(moves))


def placed(rng: random.Random) -> chess.Board:
    while True:
        board = chess.Board(None)
        board.turn = rng.random() < 0.5
        squares = rng.sample(range(64), rng.randrange(3, 22))
        # Kings and rooks at home, and pawns that have just moved, are rare by chance.
        for colour, home in ((chess.WHITE, 0), (chess.BLACK, 56)):
            if rng.random() < 0.3:
                board.set_piece_at(home + 4, chess.Piece(chess.KING, colour))
                for rook in (home, home + 7):
                    if rng.random() < 0.7:
                        board.set_piece_at(rook, chess.Piece(chess.ROOK, colour))
            else:
                board.set_piece_at(squares.pop(), chess.Piece(chess.KING, colour))
        for square in squares:
            kind = rng.choice(KINDS)
            on_end = chess.square_rank(square) in (0, 7)
            if board.piece_at(square) is None and not (on_end and kind == chess.PAWN):
                board.set_piece_at(square, chess.Piece(kind, rng.random() < 0.5))
        board.castling_rights = board.clean_castling_rights() | sum(
            chess.BB_SQUARES[rook]
            for colour, home in ((chess.WHITE, 0), (chess.BLACK, 56))
            for rook in (home, home + 7)
            if board.piece_at(home + 4) == chess.Piece(chess.KING, colour)
            and board.piece_at(rook) == chess.Piece(chess.ROOK, colour)
            and rng.random() < 0.8
        )
        passed, taken, start = (5, 4, 6) if board.turn else (2, 3, 1)
        candidates = [
            file
            for file in range(8)
            if board.piece_at(chess.square(file, taken)) == chess.Piece(chess.PAWN, not board.turn)
            and not board.piece_at(chess.square(file, passed))
            and not board.piece_at(chess.square(file, start))
        ]
        if candidates:
            board.ep_square = chess.square(rng.choice(candidates), passed)
        if not board.status() & FAULTS:
            return board


def chess_line(board: chess.Board, moves: list[chess.Move], is_named: bool) -> str:
    in_check = board.is_check()
    state = ("check" if in_check else "none") if moves else ("mate" if in_check else "stalemate")
    names = [f"{move.uci()}={board.san(move)}" if is_named else move.uci() for move in moves]
    return f"chess\t{board.fen(en_passant='fen')}\t{state}\t{' '.join(names)}\n"


def draughts_lines(rng: random.Random) -> Iterator[str]:
    """Placed pieces, and the positions that follow in a few random moves; White and Black in turn."""
    dark = [(x, y) for y in range(8) for x in range(8) if (x + y) % 2 == 0]
    while True:
        kings = rng.random() < 0.5
        places = {}
        for square in rng.sample(dark, rng.randrange(2, 25)):
            white = rng.random() < 0.5
            on_end = square[1] == (7 if white else 0)
            is_king = on_end or rng.random() < (0.4 if kings else 0.05)
            places[square] = ("K" if is_king else "M") if white else ("k" if is_king else "m")
        if len({man.isupper() for man in places.values()}) < 2:
            continue
        side = rng.choice("wb")
        board = draughts.Board(variant="russian", fen=draughts_fen(places, side))
        taking = [move for move in board.legal_moves() if move.has_captures]
        squares = "".join(places.get((x, y), ".") for y in range(8) for x in range(8))
        captures = sorted({":".join(square_name(n) for n in move.steps_move) for move in taking})
        yield f"draughts\t{side}\t{squares}\t{' '.join(captures)}\n"


def draughts_fen(places: dict[tuple[int, int], str], side: str) -> str:
    def of(white: bool) -> str:
        men = ((at, man) for at, man in sorted(places.items()) if man.isupper() == white)
        return ",".join(("K" if man in "Kk" else "") + chr(97 + x) + str(y + 1) for (x, y), man in men)

    return f"{side.upper()}:W{of(True)}:B{of(False)}"


def square_name(number: int) -> str:
    """The name of a square that pydraughts numbers from a1 on, by rows."""
    y, x = divmod(number - 1, 4)
    return chr(97 + 2 * x + y % 2) + str(y + 1)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("game", choices=("chess", "draughts"))
    parser.add_argument("--positions", type=int, default=BATCH)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    lines = chess_lines if options.game == "chess" else draughts_lines
    for batch in range(options.first, options.first + -(-options.positions // BATCH)):
        drawn = lines(random.Random(batch))
        command = [os.environ["CPZ_ORACLES"], "other_programs", "--ignored", "--nocapture", "--test-threads", "1"]
        text = "".join(next(drawn) for _ in range(BATCH))
        run = subprocess.run(command, input=text, capture_output=True, text=True)
        if run.returncode or f"{BATCH} positions agree" not in run.stdout:
            print(run.stdout, run.stderr, f"batch {batch} differs", sep="\n")
            return 1
        print(f"{BATCH * (batch - options.first + 1)} positions agree; the next batch is {batch + 1}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
