#!/usr/bin/env bash
# Tests of the Helix set-up. Prints one line for each check: `ok` or `FAIL` and its name.
#
#   helix.sh FOLDER PATH [server]
#
# Helix runs in a tmux terminal, started by the function `inside` of run. PATH is its search path for
# programs; `server` says that cpz is on it.
set -uo pipefail

folder=$1 path=$2 server=${3:-}
failed=0
sessions=0
socket=cpz-editors-$$
start=$(mktemp)
trap 'tmux -L "$socket" kill-server 2>/dev/null; rm -f "$start"' EXIT

screen() { tmux -L "$socket" capture-pane -p "$@"; }
keys() { tmux -L "$socket" send-keys "$@"; }

# await PATTERN [SECONDS]: waits until the screen matches; it fails if it hangs. `again` gives the seconds.
await() {
  local end=$((SECONDS + ${2:-HUNG}))
  until screen | grep -qE -- "$1"; do
    ((SECONDS < end)) || return
    # The pause between two looks.
    sleep 0.05
  done
}

# again PATTERN KEY…: presses keys until the screen matches: Helix forgets a request that comes before its server is ready.
# The time for an answer doubles, so that a slow machine is not interrupted for ever.
again() {
  local pattern=$1 seconds
  shift
  for ((seconds = 1; seconds < HUNG; seconds *= 2)); do
    keys "$@"
    await "$pattern" "$seconds" && return
  done
  return 1
}

# report NAME CODE
report() {
  if (($2 == 0)); then
    echo "ok helix: $1"
  else
    failed=1
    echo "FAIL helix: $1: $(screen | grep -v '^ *$' | tr -s ' ' | tr '\n' '~')"
  fi
}

# check_screen NAME PATTERN
check_screen() {
  await "$2"
  report "$1" $?
}

# open FILE:LINE:COLUMN
open() {
  tmux -L "$socket" kill-server 2>/dev/null
  # A new socket: the old tmux server may still be ending and refuse a session.
  sessions=$((sessions + 1))
  socket=cpz-editors-$$-$sessions
  {
    declare -p system
    declare -f inside
    printf 'inside %q PATH=%q hx %q\n' "$folder" "$path" "$1"
  } >"$start"
  # A wide terminal, so that messages are not wrapped.
  tmux -L "$socket" -f /dev/null new-session -d -x 160 -y 40 "bash $start"
  await '^ *1 '
}

# choose TITLE: runs the first code action, which must have this title.
choose() {
  keys Space a
  await " $1( |\$)" && keys Enter
}

# colour WORD: the colour number of the first occurrence.
colour() {
  screen -e | grep -oE $'\e\\[38;5;[0-9]+m(\e\\[[0-9;]*m)*'"$1" | head -n 1 | cut -d';' -f3 | cut -dm -f1
}

# coloured WORD…: whether all words have one colour, and `solve` another.
coloured() {
  local word first
  first=$(colour "$1")
  for word in "$@"; do
    [[ -n $first && $(colour "$word") == "$first" ]] || return
  done
  [[ $(colour solve) != "$first" ]]
}

with_server() {
  open moves.cpz:4:8
  check_screen 'finding: shown under the cursor' 'this move is illegal: the knight on g1 does not reach e4'
  choose 'Replace with ‘\["W","N",5,2\]’'
  check_screen 'code action: a legal move takes the place of an illegal one' 'move \["W","N",5,2\]'

  open mate.cpz:3:3
  check_screen 'mate.cpz is open' 'mate => true'
  again 'c2 \(I\): guarded by the bishop on b3 \(II\)' Space k
  report 'hover: says why it is mate' $?

  open sample.cpz:8:3
  check_screen 'inlay hint: shows the answer' 'solve +⇒ d1xb2 a2xb2 b2xb3'
  coloured solitaire board
  report 'tree-sitter: keywords have their own colour' $?

  open slip.cpz:3:3
  check_screen 'finding: a misspelt keyword' 'unknown keyword .solv.; did you mean .solve.\?'
  choose 'Replace with .solve.'
  check_screen 'code action: the fix of a misspelt keyword is applied' '^ *3 +solve( +⇒.*)?$'

  open unsound.cpz:3:3
  check_screen 'finding: a puzzle without a solution' 'this board has no solution'
  keys Space a
  await 'Make the knight on b1 a king' && keys Down Enter
  check_screen 'code action: a repair of the menu is applied' 'board R\.\.K'

  open sample.cpz:6:5
  check_screen 'sample.cpz is open' 'R P \. \.'
  keys Space a
  await 'Remove the rook' && keys Enter
  check_screen 'code action: the piece at the cursor is removed' '^ *6 +\. P \. \.'

  local health
  health=$(inside "$folder" PATH="$path" hx --health cpz 2>&1 | sed $'s/\e\\[[0-9;]*m//g')
  local part
  for part in 'cpz: /' 'Tree-sitter parser: ✓' 'Highlight queries: ✓' 'Textobject queries: ✓' 'Indent queries: ✓'; do
    grep -q -- "$part" <<<"$health"
    report "health: $part" $?
  done
}

without_server() {
  open sample.cpz:8:3
  keys o 'note "typed"' Escape
  check_screen 'the text can be edited without a server' '^ *9 +note "typed"'
  keys ':w' Enter
  check_screen 'the text can be saved without a server' "'sample.cpz' written"
}

if [[ $server == server ]]; then with_server; else without_server; fi
exit "$failed"
