#!/usr/bin/env bash
# Checks of the set-up for Helix, one line each: `ok` or `FAIL` and what was looked at.
#
#   helix.sh FOLDER PATH [server]
#
# Helix runs in a terminal of tmux, as `inside FOLDER` of run does. PATH is where it finds programs;
# `server` tells that cpz is among them.
set -uo pipefail

folder=$1 path=$2 server=${3:-}
failed=0
sessions=0
socket=cpz-editors-$$
start=$(mktemp)
trap 'tmux -L "$socket" kill-server 2>/dev/null; rm -f "$start"' EXIT

screen() { tmux -L "$socket" capture-pane -p "$@"; }
keys() { tmux -L "$socket" send-keys "$@"; }

# await PATTERN: waits until the screen shows it, for ten seconds at most.
await() {
  local i
  for ((i = 0; i < 200; i++)); do
    screen | grep -qE -- "$1" && return
    sleep 0.05
  done
  return 1
}

# verdict WHAT CODE
verdict() {
  if (($2 == 0)); then
    echo "ok helix: $1"
  else
    failed=1
    echo "FAIL helix: $1: $(screen | grep -v '^ *$' | tr -s ' ' | tr '\n' '~')"
  fi
}

# shows WHAT PATTERN
shows() {
  await "$2"
  verdict "$1" $?
}

# open FILE:LINE:COLUMN
open() {
  tmux -L "$socket" kill-server 2>/dev/null
  # A server that ends may not take in a new session any more.
  sessions=$((sessions + 1))
  socket=cpz-editors-$$-$sessions
  {
    declare -p system
    declare -f inside
    printf 'inside %q PATH=%q hx %q\n' "$folder" "$path" "$1"
  } >"$start"
  # The terminal is wide, so that messages stay on their lines.
  tmux -L "$socket" -f /dev/null new-session -d -x 160 -y 40 "bash $start"
  await '^ *1 '
}

# choose TITLE: runs the first code action, which has to be the one with this title.
choose() {
  keys Space a
  await " $1( |\$)" && keys Enter
}

# colour WORD: the number of the colour that the first line with it gives it.
colour() {
  screen -e | grep -oE $'\e\\[38;5;[0-9]+m(\e\\[[0-9;]*m)*'"$1" | head -n 1 | cut -d';' -f3 | cut -dm -f1
}

# coloured WORD… : whether all have one colour, and `solve` has another.
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
  shows 'the finding under the cursor' 'this move is illegal: the knight on g1 does not reach e4'
  choose 'Say that it is illegal'
  shows 'the fix of an illegal move' '4\] => illegal'

  open mate.cpz:3:3
  await ' 1 sel' && sleep 0.2
  shows 'the answer is known' 'mate => true'
  keys Space k
  shows 'hover tells why it is mate' 'c2 \(I\): guarded by the bishop on b3 \(II\)'

  open sample.cpz:8:3
  shows 'the answer beside a query' 'solve +⇒ d1xb2 a2xb2 b2xb3'
  coloured solitaire board
  verdict 'tree-sitter: keywords have a colour of their own' $?

  open slip.cpz:3:3
  shows 'a misspelt keyword' 'unknown keyword .solv.; did you mean .solve.\?'
  choose 'Replace with .solve.'
  shows 'the fix of a misspelt keyword' '^ *3 +solve *$'

  local health
  health=$(inside "$folder" PATH="$path" hx --health cpz 2>&1 | sed $'s/\e\\[[0-9;]*m//g')
  local part
  for part in 'cpz: /' 'Tree-sitter parser: ✓' 'Highlight queries: ✓' 'Textobject queries: ✓' 'Indent queries: ✓'; do
    grep -q -- "$part" <<<"$health"
    verdict "health: $part" $?
  done
}

without_server() {
  open sample.cpz:8:3
  keys o 'note "typed"' Escape
  shows 'the text can be edited' '^ *9 +note "typed"'
  keys ':w' Enter
  shows 'and saved' "'sample.cpz' written"
}

if [[ $server == server ]]; then with_server; else without_server; fi
exit "$failed"
