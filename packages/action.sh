#!/usr/bin/env bash
# The steps of the action in ../action.yml:
#
#   find     sets the outputs `root`, the folder to build cpz in, and `key`, the key of the cache; sets none if cpz is
#            on the PATH
#   install  builds cpz in `root`, unless it was restored from the cache
#   check    runs cpz on $INPUT_PATHS; the exit code is that of `cpz check`
set -euo pipefail

root=$RUNNER_TEMP/cpz-action

# installed: whether the cpz on the PATH is this program; other programs have the same name.
installed() {
  cpz explain --list >/dev/null 2>&1
}

find_cpz() {
  if installed; then
    echo "$(command -v cpz): $(cpz --version)"
    return
  fi
  # The key has the sources and the system, because a program built on a newer system may not run on an older one.
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

# Items of a list are separated by white space or line ends. The shell expands nothing in them.
check() {
  local cpz=$root/bin/cpz paths args options path relative=() status=0 sarif_status=0
  if installed; then
    cpz=cpz
  fi
  read -r -d '' -a paths <<<"$INPUT_PATHS" || true
  read -r -d '' -a args <<<"$INPUT_ARGS" || true
  options=(--fail-on "${INPUT_FAIL_ON:-error}")
  if [[ -n $INPUT_BASELINE ]]; then
    options+=(--baseline "$INPUT_BASELINE")
  fi
  # Before version 4.4, bash takes an empty array as unset.
  options+=(${args[@]+"${args[@]}"} --)
  # GitHub expects paths as git has them, and cpz prints paths as they were given.
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
    "$cpz" check --format sarif "${options[@]}" >"$INPUT_SARIF" || sarif_status=$?
  fi
  # Exit code 2 (a file could not be read) takes precedence over 1 (findings).
  exit $((sarif_status > status ? sarif_status : status))
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
