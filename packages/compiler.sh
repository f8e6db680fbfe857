# Chooses the compiler for a target that this machine may have no compiler for. To be sourced by a bash script.
#
# rustup's compiler, if rustup has the target; else Debian's, whose packages are downloaded and unpacked into the cache of the
# tests: they are not installed, because they would take the place of rustup's. Debian's has no standard library for other
# targets, so cargo builds it.

compiler_rust=1.96.0+dfsg1-1~deb12u2
compiler_llvm=1:22.1.8-1~deb12u1
compiler_packages=(rustc-web=$compiler_rust libstd-rust-web-1.96=$compiler_rust libstd-rust-web-dev=$compiler_rust
  rust-web-src=$compiler_rust libllvm22=$compiler_llvm lld-22=$compiler_llvm)

compiler_error() {
  echo "${0##*/}: $1" >&2
  return 1
}

# unknown_packages: those that apt-get cannot download.
unknown_packages() {
  local package
  for package in "${compiler_packages[@]}"; do
    apt-cache show "$package" >/dev/null 2>&1 || echo "$package"
  done
}

# unpack_compiler TARGET FOLDER: downloads the packages and unpacks them.
unpack_compiler() {
  local target=$1 folder=$2 package missing
  if ! type -P apt-get >/dev/null || ! type -P dpkg >/dev/null; then
    compiler_error "the compiler for $target is missing; rustup target add $target installs it"
    return
  fi
  missing=($(unknown_packages))
  if ((${#missing[@]} && EUID == 0)); then
    # A fresh machine has no lists of packages, or old ones.
    apt-get update -qq >&2
    missing=($(unknown_packages))
  fi
  if ((${#missing[@]})); then
    compiler_error "apt-get does not know ${missing[*]}. Run apt-get update with the sources of Debian \
bookworm-security; if newer versions have taken their place, write those into ${BASH_SOURCE[0]}, or run \
rustup target add $target"
    return
  fi
  mkdir -p "$(dirname "$folder")"
  rm -rf "$folder.partial"
  mkdir -p "$folder.partial/packages"
  if ! (cd "$folder.partial/packages" && apt-get download -q "${compiler_packages[@]}"); then
    compiler_error "the packages could not be downloaded"
    return
  fi
  for package in "$folder.partial"/packages/*.deb; do
    dpkg -x "$package" "$folder.partial" || return
  done
  rm -r "$folder.partial/packages"
  mv "$folder.partial" "$folder"
}

# hide_folders ROOT [FLAG…]: sets the flags of rustc so that no path of this machine is in what is built: the same sources make the
# same program in every folder and every home. They take the place of those in the environment, to which FLAG… are added.
hide_folders() {
  local root=$1 flags
  shift
  flags=(${RUSTFLAGS:-} "$@" "--remap-path-prefix=$root=/cpz" "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo")
  [[ ! ${compiler:-} ]] || flags+=("--remap-path-prefix=$compiler=/rust")
  # Unlike RUSTFLAGS, this may have white space in paths.
  CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && printf %s "${flags[*]}")
  export CARGO_ENCODED_RUSTFLAGS
}

# choose_compiler TARGET: sets the environment for cargo. $compiler becomes the folder of Debian's compiler, with whose
# cargo option `-Zbuild-std` the standard library has to be built; it stays empty with rustup's.
choose_compiler() {
  compiler=
  ! rustup target list --installed 2>/dev/null | grep -x "$1" >/dev/null || return 0
  local folder=${CPZ_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/cpz-tests}/web-compiler-${compiler_rust%%+*}
  if [[ ! -d $folder ]]; then
    unpack_compiler "$1" "$folder" || return
  fi
  compiler=$folder
  export LD_LIBRARY_PATH=$compiler/usr/lib/x86_64-linux-gnu:$compiler/usr/lib/llvm-22/lib RUSTC=$compiler/usr/bin/rustc
  # Only unstable cargo builds the standard library.
  export RUSTC_BOOTSTRAP=1
}
