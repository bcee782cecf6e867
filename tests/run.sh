#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds everything, checks the format, runs all tests and prints one summary.
#   tests/run.sh              the release build as it is shipped, with all languages, and all tests
#   tests/run.sh --full       also clang-tidy over what has changed, the tests with the address, undefined-behaviour and
#                             thread sanitizers, and 30 seconds of fuzzing for each target
#   tests/run.sh --soak N     fuzzes each target for N minutes, refuses every allocation, looks at all files with
#                             clang-tidy, counts ten times the cycles in each language, and runs the long tests with
#                             sanitizers too
#   tests/run.sh --ports      64-bit Windows under wine and 64-bit ARM under qemu: the ABI, the cases of the languages, models both ways
#   tests/run.sh --packages   R's check as CRAN runs it; all packages, Debian's by lintian
#   tests/run.sh --newest     Python's wheel of the stable ABI with the newest CPython, numpy and scikit-learn
set -uo pipefail
cd "$(dirname "$0")/.."

usage() {
  echo "usage: tests/run.sh [--full | --soak MINUTES | --ports | --packages | --newest]" >&2
  exit 2
}
stage=${1:-tests}
stage=${stage#--}
case "$stage" in
  tests | full | ports | packages | newest) [ $# -le 1 ] || usage ;;
  soak) [[ "${2:-}" =~ ^[0-9]+$ ]] || usage ;;
  *) usage ;;
esac

build=build
targets=()
summary=()
rm -f build-fuzz/fuzz/*/finding  # of an earlier run
failed=0
skipped=0

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
  skipped=$((skipped + 1))
}

check_format() {
  git ls-files '*.c' '*.h' '*.cpp' '*.hpp' | xargs clang-format --dry-run --Werror
}

configure_and_build() {
  local folder=$1
  shift
  cmake -S . -B "$folder" -G Ninja "$@" >"$folder.log" 2>&1 || { tail -30 "$folder.log"; return 1; }
  cmake --build "$folder" ${targets[@]+--target "${targets[@]}"} >>"$folder.log" 2>&1 ||
    { grep -E 'error|FAILED|undefined' "$folder.log" | head -40; return 1; }
}

run_tests() {
  local folder=$1
  shift
  ctest --test-dir "$folder" --output-on-failure --parallel 2 --timeout 900 --no-tests=error "$@" | tee "$folder.tests" | tail -25
  return "${PIPESTATUS[0]}"
}

# In one process, which under this sanitizer takes long to begin, and without the tests that measure how soon a cancel is
# heard. A filter that selects nothing is a failure.
run_thread_tests() {
  timeout 1500 build-thread/bin/dk_abi_tests --gtest_brief=1 --gtest_filter='-CancelCall.Of*:CancelCall.KernelMatrices:CancelCall.WhileMemory*:*/BatchSizes.*_1500:Soak/*' |
    tee build-thread.tests
  [ "${PIPESTATUS[0]}" -eq 0 ] && grep -q 'PASSED  \] [1-9]' build-thread.tests
}

# The library's files that have changed since a day ago, or since DK_TIDY_BASE, in more than what they include, and for each
# header that has, a file that includes it. What sees a change through headers only waits for --soak.
changed_files() {
  local base=${DK_TIDY_BASE:-$(git rev-list -1 --before='1 day ago' HEAD)} changed file
  [ -n "$base" ] || { git ls-files 'libdk/*.cpp'; return; }
  changed=$(git diff -M -U0 "$base" -- 'libdk/*.cpp' 'libdk/*.hpp' 'include/*' |
    awk '/^\+\+\+ b\//{file = substr($2, 3); next} /^\+/ && !/^\+#include/ && !/^\+$/{print file}' | sort -u)
  for file in $changed; do
    case "$file" in
      *.cpp) echo "$file" ;;
      *) [ -e "${file%.*}.cpp" ] && echo "${file%.*}.cpp" ||
           git ls-files 'libdk/*.cpp' | xargs grep -lF "#include \"${file#*/}\"" | head -1 ;;
    esac
  done | grep -v /windows/ | sort -u | xargs -r ls 2>/dev/null
}

# It counts the lines that its tests run, too, so that no build is made for that alone. With --soak it solves linear programs
# by CLP, which is no part of what is shipped.
build_sanitized() {
  local soak=OFF
  [ "$stage" = soak ] && soak=ON
  find build-address -name '*.gcda' -delete 2>/dev/null
  configure_and_build build-address -DDK_COVERAGE=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" \
    -DDK_BUILD_TESTS=ON -DDK_SANITIZED_TESTS=ON -DDK_TESTS_FROM="$PWD/$build" \
    -DDK_SANITIZE=address,undefined,float-cast-overflow \
    -DDK_BUILD_CLI=OFF -DDK_BUILD_EXAMPLES=OFF -DDK_CLP="$soak" -DDK_LONG_SANITIZED_TESTS="$soak"
}

# Lines that the tests with sanitizers ran, of what reads what strangers give: data, models, arguments, kernel strings.
check_coverage() {
  gcovr --root . --object-directory build-address --filter 'libdk/(data|model|abi|kernel/language)/' \
    --exclude-throw-branches --fail-under-line 95 --sort-uncovered | tee build-address.coverage | grep -vE '100%|^$' | tail -40
  return "${PIPESTATUS[0]}"
}

# Lines of the same kind that the fuzzers' inputs alone run: the corpus, and what the fuzzers have found to run other lines.
check_fuzz_coverage() {
  local name corpora
  find build-address -name '*.gcda' -delete
  for name in tests/fuzz/corpus/*/; do
    name=$(basename "$name")
    corpora=("tests/fuzz/corpus/$name")
    [ ! -d "build-fuzz/fuzz/$name/corpus" ] || corpora+=("build-fuzz/fuzz/$name/corpus")
    "build-address/bin/dk_replay_$name" "${corpora[@]}" >/dev/null || return 1
  done
  gcovr --root . --object-directory build-address --filter 'libdk/(data|model|exchange|abi)/' \
    --exclude-throw-branches --fail-under-line 85 --sort-uncovered | tee build-fuzz.coverage | grep -vE '100%|^$' | tail -60
  return "${PIPESTATUS[0]}"
}

# The fuzzer is Clang's, whose precompiled headers name their folder, so that ccache would know no object of another clone.
build_fuzzers() {
  targets=(dk_fuzz)
  configure_and_build build-fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" -DDK_BUILD_TESTS=ON \
    -DDK_SANITIZED_TESTS=ON -DDK_SANITIZE=address,undefined,fuzzer-no-link -DDK_FUZZ=ON -DDK_OPENMP=OFF -DDK_BUILD_CLI=OFF \
    -DDK_BUILD_EXAMPLES=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
}

step "install packages" bash tests/install_packages.sh "--$(case "$stage" in tests | packages | newest) echo "$stage" ;; *) echo full ;; esac)" || exit 1
[ "$stage" = tests ] || [ "$stage" = full ] && step "format" check_format

if [ "$stage" != ports ] && [ "$stage" != newest ]; then
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
  language python python3
  language java javac
  language csharp dotnet
  language r R
  language go go
  if step "build" configure_and_build "$build" -DCMAKE_BUILD_TYPE=Release -DDK_BUILD_TESTS=ON "${languages[@]}" \
      -DDK_CYCLES="$([ "$stage" = soak ] && echo 25 || echo 1)"; then
    case "$stage" in
      tests | full) step "tests" run_tests "$build" ;;
      soak)
        step "tests" run_tests "$build"
        DK_FAULTS=all step "every allocation refused" run_tests "$build" -R AllocationFaults
        ;;
      packages)
        step "R CMD check --as-cran" env _R_CHECK_CRAN_INCOMING_REMOTE_=false bash -c \
          'cd "$1" && R CMD check --as-cran --no-manual libdk_*.tar.gz && ! grep -E "^Status:.*(ERROR|WARNING)" libdk.Rcheck/00check.log' \
          _ "$build/bindings/r"
        step "packages of all languages, made twice and tried without a compiler" bash packaging/twice.sh build-packages.out
        ;;
    esac
  fi
fi

if [ "$stage" = ports ]; then
  step "64-bit Windows under wine" bash tests/ports/windows.sh "$build"
  step "64-bit ARM under qemu" bash tests/ports/aarch64.sh "$build"
fi

if [ "$stage" = newest ]; then
  step "Python's wheel of the stable ABI with the newest CPython, numpy and scikit-learn" bash tests/newest.sh build-newest
fi

if [ "$stage" = full ] || [ "$stage" = soak ]; then
  if [ "$stage" = soak ]; then
    mapfile -t sources < <(git ls-files 'libdk/*.cpp' | grep -v /windows/)  # whose headers are not here
    step "clang-tidy, each file alone" bash tests/tidy.sh build-tidy --alone "${sources[@]}"
  else
    mapfile -t sources < <(changed_files)
    [ ${#sources[@]} -eq 0 ] || step "clang-tidy of what has changed" bash tests/tidy.sh build-tidy "${sources[@]}"
  fi
  if step "build with address and undefined-behaviour sanitizers" build_sanitized; then
    DK_TEST_SLOW=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
      step "tests with address and undefined-behaviour sanitizers" run_tests build-address
    step "coverage of data/, model/, abi/ and the parser, at least 95 % of lines" check_coverage
  fi
  if step "build for fuzzing" build_fuzzers; then
    # A change is judged by one sequence of inputs, as far as it takes the same branches; a soak looks for others.
    if [ "$stage" = full ]; then
      DK_FUZZ_SEED=1 step "fuzzing" bash tests/fuzz/run.sh build-fuzz 30
    else
      step "fuzzing" bash tests/fuzz/run.sh build-fuzz $((60 * $2))
      step "coverage of data/, model/, exchange/ and abi/ by the fuzzers alone, at least 85 % of lines" check_fuzz_coverage
    fi
  fi
  targets=(dk_abi_tests)
  if step "build with thread sanitizer" configure_and_build build-thread -DCMAKE_BUILD_TYPE=RelWithDebInfo \
      -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" -DDK_BUILD_TESTS=ON -DDK_SANITIZED_TESTS=ON -DDK_SANITIZE=thread \
      -DDK_BUILD_CLI=OFF -DDK_BUILD_EXAMPLES=OFF; then
    DK_TEST_SLOW=1 TSAN_OPTIONS=halt_on_error=1 step "tests with thread sanitizer" run_thread_tests
  fi
fi

echo
echo "== summary"
printf '%s\n' "${summary[@]}"
# A test that was skipped has not passed.
total=$(grep -hoE '[0-9]+ tests failed out of [0-9]+' "$build.tests" 2>/dev/null | tail -1 | awk '{print $NF}')
bad=$(grep -hoE '[0-9]+ tests failed out of' "$build.tests" 2>/dev/null | tail -1 | awk '{print $1}')
not_run=$(sed -n '/The following tests did not run:/,/^$/p' "$build.tests" 2>/dev/null | grep -cE '^[[:space:]]+[0-9]+ - ')
sed -n '/The following tests did not run:/,/^$/p; /The following tests FAILED:/,/^$/p' "$build.tests" 2>/dev/null
[ "$failed" -eq 0 ] || tail -v -n +1 build-fuzz/fuzz/*/finding 2>/dev/null
echo "tests: $((${total:-0} - ${bad:-0} - not_run)) passed, ${bad:-0} failed, $((not_run + skipped)) skipped"
[ "$failed" -eq 0 ]
