#!/usr/bin/env bash
# The steps of the action in ../action.yml:
#
#   find     sets the outputs `root`, the folder to build cpz in, and `key`, the key of the cache; sets none if cpz is
#            on the PATH
#   install  builds cpz in `root`, unless it was restored from the cache
#   check    runs cpz on $INPUT_PATHS; the exit code is that of `cpz check`. On a pull request it also writes what has
#            changed into the summary of the job
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

# base_commit: prints the commit that the pull request is merged into, and fetches it if it is not here.
base_commit() {
  local parents=() wanted=refs/heads/$GITHUB_BASE_REF depth=()
  read -r -d '' -a parents < <(git cat-file commit HEAD | sed -n '/^$/q; s/^parent //p') || true
  # actions/checkout checks out the merge of both branches, of which the first parent is the base.
  if [[ ${#parents[@]} == 2 ]]; then
    wanted=${parents[0]}
    if git cat-file -e "$wanted^{tree}" 2>/dev/null; then
      echo "$wanted"
      return
    fi
  fi
  if [[ $(git rev-parse --is-shallow-repository) == true ]]; then
    depth=(--depth=1)
  fi
  git fetch --quiet --no-tags ${depth[@]+"${depth[@]}"} origin "$wanted" && git rev-parse FETCH_HEAD
}

# summarize CPZ PATH…: writes what has changed in the paths since the base into the summary of the job.
summarize() {
  local cpz=$1 commit base=$RUNNER_TEMP/cpz-base path old text max status
  shift
  commit=$(base_commit) && [[ -n $commit ]] || return
  rm -rf "$base" && mkdir "$base" || return
  # An index of its own: that of the job stays as it is.
  GIT_INDEX_FILE=$RUNNER_TEMP/cpz-index git read-tree "$commit" || return
  GIT_INDEX_FILE=$RUNNER_TEMP/cpz-index git ls-files -z -- ':(icase)*.cpz' ':(glob)**/cpz.toml' ':(glob)**/.ignore' ':(glob)**/.gitignore' \
    >"$RUNNER_TEMP/cpz-files" || return
  GIT_INDEX_FILE=$RUNNER_TEMP/cpz-index git checkout-index --quiet --prefix="$base/" -z --stdin <"$RUNNER_TEMP/cpz-files" || return
  for path in "$@"; do
    old=$base/$path
    if [[ -d $path ]]; then
      mkdir -p "$old" || return
    elif [[ ! -e $old ]]; then
      old=/dev/null
    fi
    # GitHub takes a megabyte for the summary of a step.
    for max in 200 20 2; do
      status=0
      text=$("$cpz" diff --format markdown --max "$max" -- "$old" "$path") || status=$?
      [[ $status == 1 && ${#text} -gt 250000 ]] || break
    done
    if [[ $status == 1 ]]; then
      printf '## Puzzles in %s since %s\n\n%s\n\n' "$path" "${commit:0:9}" "$text" >>"$GITHUB_STEP_SUMMARY" || return
    elif [[ $status != 0 ]]; then
      return 1
    fi
  done
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
  if [[ -n ${GITHUB_BASE_REF:-} && -n ${GITHUB_STEP_SUMMARY:-} ]]; then
    if [[ ${#relative[@]} == 0 ]]; then
      relative=(.)
    fi
    summarize "$cpz" "${relative[@]}" || echo "What has changed is not in the summary: git or cpz could not compare it"
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
