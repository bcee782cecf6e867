#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing to build libdk (no argument), to test it (--tests), to check it in full (--full), to make its
# packages (--packages), or to try it with the newest Python (--newest). On Debian and Ubuntu by apt; elsewhere it names what
# is needed.
set -euo pipefail

packages=(g++ cmake ninja-build pkg-config libhwy-dev libeigen3-dev nlohmann-json3-dev zlib1g-dev
          libcli11-dev)
case "${1:-}" in
  --packages)
    packages+=(lintian dpkg-dev patchelf)
    ;;&
  --newest)
    packages+=(mmdebstrap)
    ;;&
  --tests | --full | --packages | --newest)
    packages+=(clang-format libgtest-dev libsvm-dev libsvm-tools abigail-tools binutils
               swig junit5 r-base-dev r-cran-testthat r-cran-matrix r-cran-knitr r-cran-markdown r-cran-jsonlite r-cran-generics
               r-cran-bit64 r-cran-caret r-cran-e1071 r-cran-kernlab devscripts qpdf golang-go
               python3-dev python3-numpy python3-scipy python3-pandas python3-sklearn python3-matplotlib python3-pytest mypy
               python3-pip python3-venv python3-wheel)
    command -v javac >/dev/null || packages+=(default-jdk-headless)
    # Maven's own build of the jar, offline
    command -v mvn >/dev/null || packages+=(maven)
    packages+=(libmaven-resources-plugin-java libmaven-compiler-plugin-java libmaven-jar-plugin-java
               libsurefire-java libbuild-helper-maven-plugin-java libmaven-install-plugin-java)
    ;;
esac
if [ "${1:-}" = --full ]; then
  packages+=(clang clang-tidy llvm gcovr coinor-libclp-dev)
  # Reports of models are opened in it. Ubuntu's package of this name is none.
  grep -qs '^ID=debian' /etc/os-release && packages+=(chromium)
fi

if ! command -v dpkg-query >/dev/null; then
  echo "This is no Debian or Ubuntu. Please see that these are installed (Debian's names): ${packages[*]}" >&2
  exit 0
fi

as_root=()
apt_get() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=900 "$@" >/dev/null
}

# install PACKAGE...: installs those that are missing.
install() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "Installing: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Only root can install packages. Please run: apt-get install ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  apt_get update
  apt_get install -y --no-install-recommends "${missing[@]}"
}

install "${packages[@]}"
if [ "${1:-}" = --full ]; then
  # Clang's sanitizers and fuzzer are a package of their own, with its version in the name; elsewhere they come with clang.
  runtime=libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev
  if apt-cache show "$runtime" >/dev/null 2>&1; then install "$runtime"; fi
fi
