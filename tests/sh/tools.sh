# Functions that install what the tests need. To be sourced by a bash script.
#
# Downloads are kept in $CPZ_CACHE, by default ${XDG_CACHE_HOME:-~/.cache}/cpz-tests. The name of an entry has the
# versions of its contents, so several clones and several branches can share one cache. To clean up, delete the folder.

CPZ_CACHE=${CPZ_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/cpz-tests}
mkdir -p "$CPZ_CACHE"
CPZ_CACHE=$(cd "$CPZ_CACHE" && pwd)
export CPZ_CACHE

# fail MESSAGE: prints the message with the name of the script and returns 2.
fail() {
  echo "${0##*/}: $1" >&2
  return 2
}

# digest: the first twelve digits of the SHA-256 of standard input.
digest() {
  { sha256sum 2>/dev/null || shasum -a 256; } | cut -c 1-12
}

# cached NAME COMMAND…: makes the cache entry NAME unless it exists. `COMMAND… FOLDER` has to fill an empty folder;
# the folder gets its final name only after success. A second run that needs the same entry waits for the first.
cached() {
  local entry=$CPZ_CACHE/$1 folder
  [[ -d $entry ]] && return
  (
    ! type -P flock >/dev/null || flock 9
    [[ -d $entry ]] && exit
    # Left over from interrupted runs. A command of such a run may still be writing, so the new folder has another name.
    rm -rf "$entry".partial.*
    folder=$entry.partial.$BASHPID
    mkdir "$folder" || exit
    echo "Installing $1 in $CPZ_CACHE."
    "${@:2}" "$folder" 9>&- && mv "$folder" "$entry"
  ) 9>"$entry.lock"
}

# apt_install PACKAGE…
apt_install() {
  local command=(apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "$@")
  export DEBIAN_FRONTEND=noninteractive
  # The lists of packages are missing on a new system, and out of date on an old one.
  "${command[@]}" >/dev/null 2>&1 || { apt-get update -qq && "${command[@]}" >/dev/null; }
}

# need COMMAND PACKAGE…: installs the Debian packages if the command is missing.
need() {
  type -P "$1" >/dev/null && return
  if [[ $EUID != 0 ]] || ! type -P apt-get >/dev/null; then
    fail "$1 is missing; install ${*:2}, or run this script as root on Debian"
    return
  fi
  (
    flock 9
    # Another script may have installed it in the meantime.
    type -P "$1" >/dev/null && exit
    echo "Installing ${*:2} with apt-get."
    apt_install "${@:2}" 9>&-
  ) 9>/run/cpz-apt.lock
}

# need_if_root COMMAND PACKAGE…: the same, but for tests that are skipped where the command is missing.
need_if_root() {
  [[ $EUID != 0 ]] || need "$@"
}

# make_environment PYTHON REQUIREMENTS FOLDER
make_environment() {
  # Debian has the module that makes environments in a package of its own.
  if ! "$1" -c 'import ensurepip' 2>/dev/null && [[ $EUID == 0 ]] && type -P apt-get >/dev/null; then
    (flock 9 && apt_install python3-venv 9>&-) 9>/run/cpz-apt.lock || return
  fi
  "$1" -m venv "$3" && "$3/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$2"
}

# environment NAME REQUIREMENTS: makes a Python environment with these packages; $python becomes its interpreter. The
# scripts in its `bin` do not work, because they name the folder in which they were made: use `python -m`.
environment() {
  local base=${PYTHON:-python3} key
  key=$({ "$base" -c 'import sys; print(sys.version, sys.base_prefix)' && cat "$2"; } | digest) || return
  cached "python-$1-$key" make_environment "$base" "$2" || return
  python=$CPZ_CACHE/python-$1-$key/bin/python
}

# has_tool NAME VERSION: whether the cache has the program, whose compilation takes minutes.
has_tool() { [[ -d $CPZ_CACHE/$1-$2 ]]; }

# cargo_tool NAME VERSION: makes a program of crates.io; $tool becomes its path. Optimising it would take minutes more.
cargo_tool() {
  cached "$1-$2" cargo install "$1" --version "^$2" --locked --quiet --debug --root || return
  tool=$CPZ_CACHE/$1-$2/bin/$1
}
