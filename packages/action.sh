#!/usr/bin/env bash
# The steps of the action in ../action.yml:
#
#   find     tells where cpz shall be built (root) and what to keep it by (key), unless there is one on the PATH
#   install  builds it there, unless it was kept
#   check    runs it on $INPUT_PATHS; the exit code is that of `cpz check`
set -euo pipefail

root=$RUNNER_TEMP/cpz-action

# Whether the cpz on the PATH is this program: others have the name, too.
installed() {
  cpz explain --list >/dev/null 2>&1
}

find_cpz() {
  if installed; then
    echo "$(command -v cpz): $(cpz --version)"
    return
  fi
  # A program is the same while its sources are; one built on a newer system may not run on an older.
  local key
  cd "$GITHUB_ACTION_PATH"
  key=$(find Cargo.toml Cargo.lock docs/schema src -type f | LC_ALL=C sort | xargs cat | git hash-object --stdin)
  echo "root=$root" >>"$GITHUB_OUTPUT"
  echo "key=cpz-$RUNNER_OS-$RUNNER_ARCH-${ImageOS:-}-$key" >>"$GITHUB_OUTPUT"
}

install_cpz() {
  if "$root/bin/cpz" --version 2>/dev/null; then
    return
  fi
  cargo install --locked --force --path "$GITHUB_ACTION_PATH" --root "$root"
}

# A list is separated by white space, line ends included; nothing in it is expanded.
check() {
  local cpz=$root/bin/cpz paths args options path relative=() status=0 told=0
  if installed; then
    cpz=cpz
  fi
  read -r -d '' -a paths <<<"$INPUT_PATHS" || true
  read -r -d '' -a args <<<"$INPUT_ARGS" || true
  options=(--fail-on "${INPUT_FAIL_ON:-error}")
  if [[ -n $INPUT_BASELINE ]]; then
    options+=(--baseline "$INPUT_BASELINE")
  fi
  # Before version 4.4 of bash an empty list counts as not set.
  options+=(${args[@]+"${args[@]}"} --)
  # GitHub finds the lines of a file by the path that git has, and cpz tells of files below the path that it is given.
  for path in ${paths[@]+"${paths[@]}"}; do
    path=${path#./}
    relative+=("${path:-.}")
  done
  if [[ ${relative[*]-.} != . ]]; then
    options+=("${relative[@]}")
  fi

  "$cpz" check --format github "${options[@]}" || status=$?
  if [[ -n $INPUT_SARIF ]]; then
    mkdir -p "$(dirname -- "$INPUT_SARIF")"
    "$cpz" check --format sarif "${options[@]}" >"$INPUT_SARIF" || told=$?
  fi
  # 2, of what could not be read or run, comes before 1, of what was found.
  exit $((told > status ? told : status))
}

case ${1:-} in
  find) find_cpz ;;
  install) install_cpz ;;
  check) check ;;
  *)
    echo "usage: packages/action.sh find|install|check" >&2
    exit 2
    ;;
esac
