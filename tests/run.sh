#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds everything, checks the format, runs all tests and prints one summary.
#   tests/run.sh          Release build, all tests
#   tests/run.sh --full   also clang-tidy and the tests under the address, undefined-behaviour and thread
#                         sanitizers
set -uo pipefail
cd "$(dirname "$0")/.."

full=no
case "${1:-}" in
  "") ;;
  --full) full=yes ;;
  *) echo "usage: tests/run.sh [--full]" >&2; exit 2 ;;
esac

build=build
targets=
summary=()
failed=0

# step NAME COMMAND...: runs the command, notes how it ended.
step() {
  local name=$1 began=$SECONDS
  shift
  echo "== $name"
  if "$@"; then
    summary+=("ok      $name ($((SECONDS - began)) s)")
  else
    summary+=("FAILED  $name ($((SECONDS - began)) s)")
    failed=$((failed + 1))
    return 1
  fi
}

skip() {
  summary+=("SKIPPED $1: $2")
}

sources() {
  git ls-files '*.c' '*.h' '*.cpp' '*.hpp'
}

check_format() {
  local formatter=clang-format
  sources | xargs "$formatter" --dry-run --Werror
}

configure_and_build() {
  local folder=$1
  shift
  cmake -S . -B "$folder" -G Ninja -DDK_BUILD_TESTS=ON "$@" >"$folder.log" 2>&1 || { tail -30 "$folder.log"; return 1; }
  cmake --build "$folder" ${targets:+--target "$targets"} >>"$folder.log" 2>&1 || { grep -E 'error|FAILED|undefined' "$folder.log" | head -40; return 1; }
}

run_tests() {
  local folder=$1
  shift
  ctest --test-dir "$folder" --output-on-failure --parallel 2 --timeout 600 --no-tests=error "$@" | tee "$folder.tests" | tail -25
  return "${PIPESTATUS[0]}"
}

# In one process, which under this sanitizer takes long to begin. A filter that selects nothing is a failure.
run_thread_tests() {
  timeout 1500 build-thread/bin/dk_abi_tests --gtest_brief=1 --gtest_filter='*Concurren*:*Thread*:*Cancel*' |
    tee build-thread.tests
  [ "${PIPESTATUS[0]}" -eq 0 ] && grep -q 'PASSED  \] [1-9]' build-thread.tests
}

# Every file by itself and without precompiled headers, which Clang could not read: so it is also seen that each file
# includes what it uses. The analyzer follows a third of the paths of a function that it would by default, which takes
# half the time.
run_tidy() {
  local files paths=(-Xclang -analyzer-config -Xclang max-nodes=75000)
  cmake -S . -B build-tidy -G Ninja -DDK_UNITY=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >build-tidy.log 2>&1 ||
    { tail -30 build-tidy.log; return 1; }
  files=$(git ls-files 'libdk/*.cpp')
  echo "$files" | xargs -P "$(nproc)" -n 2 clang-tidy --quiet -p build-tidy --warnings-as-errors='*' \
    --extra-arg=-Wno-unknown-warning-option "${paths[@]/#/--extra-arg=}" 2>/dev/null
}

step "install packages" bash tests/install_packages.sh "$([ $full = yes ] && echo --full || echo --tests)" || exit 1
step "format" check_format
# The packages of all languages whose tools are there.
languages=()
language() { # NAME TOOL...
  local name=$1 tool
  shift
  for tool in swig "$@"; do
    if ! command -v "$tool" >/dev/null; then
      skip "bindings $name" "no $tool"
      languages+=("-DDK_BUILD_${name^^}=OFF")
      return
    fi
  done
  languages+=("-DDK_BUILD_${name^^}=ON")
}
language java javac
language csharp dotnet
language r R
language go go
# Lines are what a failing test shows of debugging information; the rest takes a third of the build.
if step "build" configure_and_build "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O2 -g1 -DNDEBUG" "${languages[@]}"; then
  step "tests" run_tests "$build"
fi

if [ $full = yes ]; then
  sanitized=(-DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" -DDK_SANITIZED_TESTS=ON
             -DDK_BUILD_CLI=OFF -DDK_BUILD_EXAMPLES=OFF)
  step "clang-tidy" run_tidy
  if step "build with address and undefined-behaviour sanitizers" configure_and_build build-address \
      -DDK_SANITIZE=address,undefined "${sanitized[@]}"; then
    DK_TEST_SLOW=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
      step "tests with address and undefined-behaviour sanitizers" run_tests build-address
  fi
  if targets=dk_abi_tests step "build with thread sanitizer" configure_and_build build-thread \
      -DDK_SANITIZE=thread "${sanitized[@]}"; then
    DK_TEST_SLOW=1 TSAN_OPTIONS=halt_on_error=1 \
      step "tests with thread sanitizer" run_thread_tests
  fi
fi

echo
echo "== summary"
printf '%s\n' "${summary[@]}"
count() {
  grep -hoE '[0-9]+ tests failed out of [0-9]+' "$build.tests" 2>/dev/null | tail -1
}
tally=$(count)
total=$(echo "$tally" | awk '{print $NF}')
bad=$(echo "$tally" | awk '{print $1}')
echo "tests: $((${total:-0} - ${bad:-0})) passed, ${bad:-0} failed"
[ "$failed" -eq 0 ]
