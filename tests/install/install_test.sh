#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs a build into a new directory and uses it from there as a stranger would:
#
#   tests/install/install_test.sh BUILD_DIR SOURCE_DIR
#
# The types of the ABI are compared when abidiff is there and the library was compiled with -g;
# DK_ABI_LIBRARY names another build's library for that. What cannot be checked is said in a line
# that begins with SKIP.
set -eu
export LC_ALL=C

[ $# -eq 2 ] || { sed -n '5,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
source=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/abi.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
prefix=$work/prefix
failures=0

passed() { echo "ok    $*"; }
failed() { echo "FAIL  $*"; failures=$((failures + 1)); }
skipped() { echo "SKIP  $*"; }

# Runs a command; its output is shown only when it fails.
step() { # title, command...
    title=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed "$title"
    else
        failed "$title"
        sed 's/^/      /' "$work/log"
        return 1
    fi
}

# --- the installed files ---------------------------------------------------------------------

install_build() {
    step "cmake --install" cmake --install "$build" --prefix "$prefix" || exit 1
    library=$(find "$prefix" -name libdk.so | head -n 1)
    [ -n "$library" ] || { failed "libdk.so is installed"; exit 1; }
    library_dir=$(dirname "$library")
    for file in "$prefix/include/dk/dk.h" "$prefix/include/dk/dk.hpp" "$library_dir/libdk.so.0" "$library_dir/pkgconfig/libdk.pc" \
        "$library_dir/cmake/libdk/libdkConfig.cmake"; do
        if [ -e "$file" ]; then passed "installed ${file#"$prefix"/}"; else failed "missing ${file#"$prefix"/}"; fi
    done
    [ -e "$prefix/bin/dk" ] || return 0
    for file in man/man1/dk.1 man/man1/dk-train.1 bash-completion/completions/dk zsh/site-functions/_dk \
        fish/vendor_completions.d/dk.fish; do
        if [ -s "$prefix/share/$file" ]; then passed "installed share/$file"; else failed "missing share/$file"; fi
    done
}

header_compiles() {
    echo '#include <dk/dk.h>' >"$work/header.c"
    cp "$work/header.c" "$work/header.cpp"
    step "dk.h is C99" cc -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include" "$work/header.c" || :
    step "dk.h is C++11" c++ -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include" \
        "$work/header.cpp" || :
    echo '#include <dk/dk.hpp>' >"$work/classes.cpp"
    step "dk.hpp is C++20" c++ -std=c++20 -pedantic -Wall -Wextra -Wshadow -Wconversion -Werror -fsyntax-only \
        -I"$prefix/include" "$work/classes.cpp" || :
}

# --- the examples against the installed tree ---------------------------------------------------

build_with_cmake() {
    step "find_package(libdk): configure" cmake -S "$source/examples/c" -B "$work/cmake" \
        -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release || return 0
    step "find_package(libdk): build" cmake --build "$work/cmake" || return 0
    run_examples "find_package" "$work/cmake"
    step "find_package(libdk) in C++: configure" cmake -S "$source/examples/cpp" -B "$work/cmake-cpp" \
        -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release || return 0
    step "find_package(libdk) in C++: build" cmake --build "$work/cmake-cpp" || return 0
    run_one "find_package" "$work/cmake-cpp/explain_rows" "$source/examples/data/sonar.csv"
}

build_with_pkg_config() {
    PKG_CONFIG_PATH=$library_dir/pkgconfig
    export PKG_CONFIG_PATH
    step "pkg-config finds libdk" pkg-config --print-errors --exists libdk || return 0
    flags=$(pkg-config --cflags --libs libdk)
    mkdir -p "$work/pkg-config"
    for example in train_predict prototypes gram; do
        # shellcheck disable=SC2086 # the flags are words
        step "pkg-config: cc -std=c99 $example.c" cc -std=c99 -pedantic -Wall -Werror -o "$work/pkg-config/$example" \
            "$source/examples/c/$example.c" $flags -Wl,-rpath,"$library_dir" || return 0
    done
    run_examples "pkg-config" "$work/pkg-config"
}

# Nothing but the installed library and a data file may be needed: the working directory is empty.
run_examples() { # title, directory of the programs
    mkdir -p "$work/empty"
    used=$(ldd "$2/gram" | awk '/libdk/ { print $3 }')
    case $used in
        "$prefix"/*) passed "$1: the installed library is used" ;;
        *) failed "$1: uses '$used' instead of the installed library" ;;
    esac
    run_one "$1" "$2/train_predict" "$source/examples/data/sonar.csv"
    run_one "$1" "$2/prototypes" "$source/examples/data/breast_cancer.csv"
    run_one "$1" "$2/gram"
    if (cd "$work/empty" && "$2/train_predict" "$work/no-such-file.csv") >"$work/log" 2>&1; then
        failed "$1: train_predict accepts a file that does not exist"
    else
        passed "$1: a missing file is an error"
    fi
    if [ -n "$(ls -A "$work/empty")" ]; then failed "$1: files were left behind"; fi
}

run_one() { # title, program, arguments...
    run_title="$1: $(basename "$2") runs"
    shift
    (cd "$work/empty" && step "$run_title" "$@") || failures=$((failures + 1))
}

# --- the shared library itself -------------------------------------------------------------------

check_symbols() {
    nm --dynamic --defined-only "$library" | awk '{ print $NF }' | grep -v -E '^(dk_[a-z0-9_]+@@DK_0|DK_0(@@DK_0)?)$' \
        >"$work/foreign" || :
    if [ -s "$work/foreign" ]; then
        failed "only dk_* at version DK_0 is exported; found:" "$(head -n 5 "$work/foreign" | tr '\n' ' ')"
    else
        passed "only dk_* at version DK_0 is exported"
    fi

    abi_exported_symbols "$library" >"$work/exported"
    cc -E -P -x c "$prefix/include/dk/dk.h" | grep -oE '\bdk_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$work/declared"
    if cmp -s "$work/declared" "$work/exported"; then
        passed "the $(wc -l <"$work/exported") functions of dk.h are the functions exported"
    else
        failed "dk.h and the library differ (< header, > library):" "$(diff "$work/declared" "$work/exported" | grep '[<>]')"
    fi

    nm --dynamic --undefined-only "$library" | awk '{ print $NF }' |
        grep -iE '^(cblas_|openblas|lapacke_|[sdcz](gemm|gemv|syrk|trsm|potrf|dot|axpy|scal|nrm2)_)' >"$work/blas" || :
    readelf --dynamic "$library" | grep -iE 'NEEDED.*(blas|lapack)' >>"$work/blas" || :
    if [ -s "$work/blas" ]; then
        failed "the host's BLAS is not used; found:" "$(tr '\n' ' ' <"$work/blas")"
    else
        passed "the host's BLAS is not used"
    fi

    if readelf --dynamic "$library" | grep -q 'SONAME.*\[libdk\.so\.0\]'; then
        passed "SONAME is libdk.so.0"
    else
        failed "SONAME is not libdk.so.0"
    fi
    echo "      needs: $(readelf --dynamic "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' ')"
}

# What SECURITY.md says of the library that is shipped.
check_hardening() {
    readelf --program-headers --wide "$library" >"$work/segments"
    readelf --dynamic --wide "$library" >"$work/dynamic"
    nm --dynamic --undefined-only "$library" >"$work/needed"
    hardened "the stack is not executable" grep -qE 'GNU_STACK .* RW +0x' "$work/segments"
    hardened "tables of addresses are read-only once it is loaded" grep -q GNU_RELRO "$work/segments"
    hardened "all its functions are bound when it is loaded" grep -q BIND_NOW "$work/dynamic"
    hardened "no segment can be written and executed" not grep -qE 'LOAD .* RWE ' "$work/segments"
    hardened "its code is not changed when it is loaded" not grep -q TEXTREL "$work/dynamic"
    hardened "it looks for libraries beside itself alone" not grep -qE 'R(UN)?PATH.*\[([^$]|.*:)' "$work/dynamic"
    hardened "functions protect their stack" grep -q __stack_chk_fail "$work/needed"
    hardened "the C library checks bounds" grep -qE ' __[a-z]+_chk(@|$)' "$work/needed"
    hardened "the C++ library checks positions" grep -q __glibcxx_assert_fail "$work/needed"
    hardened "the command does not tell where it was built" not grep -qF "$build" "$prefix/bin/dk"
    if [ "$(uname -m)" = x86_64 ]; then
        objdump --disassemble=dk_train --no-show-raw-insn "$library" >"$work/code"
        hardened "targets of jumps are marked" grep -q endbr64 "$work/code"
    fi
}

hardened() { # title, command...
    title=$1
    shift
    if "$@"; then passed "$title"; else failed "not so: $title"; fi
}

not() { ! "$@"; }

# --- the ABI against its record --------------------------------------------------------------------

how_to_record="tests/install/record.sh LIBRARY_WITH_DEBUG_INFORMATION SOURCE_DIR"

check_recorded_symbols() {
    abi_recorded_symbols "$record" >"$work/recorded"
    removed=$(comm -23 "$work/recorded" "$work/exported" | tr '\n' ' ')
    added=$(comm -13 "$work/recorded" "$work/exported" | tr '\n' ' ')
    if [ -n "$removed" ]; then failed "functions of the recorded ABI are gone: $removed"; else
        passed "all $(wc -l <"$work/recorded") functions of the recorded ABI are there"; fi
    if [ -n "$added" ]; then
        echo "NEW   not yet recorded: $added"
        echo "      record them with: $how_to_record"
    fi
}

check_recorded_constants() {
    abi_constants "$prefix/include" >"$work/constants"
    changed=$(comm -23 "$here/libdk.constants" "$work/constants" | tr '\n' ';')
    added=$(comm -13 "$here/libdk.constants" "$work/constants" | tr '\n' ';')
    if [ -n "$changed" ]; then failed "constants of the recorded ABI are gone or changed: $changed"; else
        passed "all $(wc -l <"$here/libdk.constants") constants of the recorded ABI are there"; fi
    if [ -n "$added" ]; then
        echo "NEW   not yet recorded: $added"
        echo "      record them with: $how_to_record"
    fi
}

check_recorded_types() {
    typed_library=${DK_ABI_LIBRARY:-$library}
    if ! command -v abidiff >/dev/null; then
        skipped "types of the ABI: abidiff is missing (Debian: abigail-tools)"
    elif ! abi_has_types "$typed_library"; then
        skipped "types of the ABI: $(basename "$typed_library") has no debug information; compile with -g or set DK_ABI_LIBRARY"
    elif abidiff --headers-dir2 "$source/include" --drop-private-types --no-added-syms --no-show-locs "$record" \
        "$typed_library" >"$work/log" 2>&1; then
        passed "the types of the recorded ABI are unchanged"
    else
        failed "the ABI is not the recorded one"
        sed 's/^/      /' "$work/log"
    fi
}

check_abi() {
    record=$here/libdk.abi
    if [ ! -e "$record" ] || [ ! -e "$here/libdk.constants" ]; then
        failed "tests/install/libdk.abi or libdk.constants is missing; write them with: $how_to_record"
        return 0
    fi
    check_recorded_symbols
    check_recorded_constants
    check_recorded_types
}

install_build
header_compiles
build_with_cmake
build_with_pkg_config
check_symbols
check_hardening
check_abi
if [ "$failures" -gt 0 ]; then
    echo "install test: $failures failed"
    exit 1
fi
echo "install test: all passed"
