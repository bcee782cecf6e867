#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Looks at files of the library with clang-tidy and fails when it finds something.
#   tests/tidy.sh BUILD_DIR FILE...           the files of a floor joined to one
#   tests/tidy.sh BUILD_DIR --alone FILE...   each by itself, so that it is also seen that each includes what it uses
#   tests/tidy.sh BUILD_DIR --names FILE...   compiles the joined files and no more, which shows names that stand twice
# What a file includes, Eigen most of all, takes thirty times as long to look at as the file itself does, so that joined
# files take a tenth of the time. Names that only one file knows have to be different in all files of a floor; machines have
# parameters named alike, and are joined folder by folder.
set -uo pipefail
cd "$(dirname "$0")/.."
if [ $# -lt 2 ]; then
  echo "usage: tests/tidy.sh BUILD_DIR [--alone] FILE..." >&2
  exit 2
fi
build=$1
shift
joined=$build/joined
names_alone=
rm -rf "$joined"

# look FILE: the analyzer follows a third of the paths of a function that it would by default, which takes half the time.
# A line of a joined file is named as the line that it was.
look() {
  local file=$1 paths=(-Xclang -analyzer-config -Xclang max-nodes=75000) checks=() shadows= status
  [ -z "$names_alone" ] || checks=(--checks=-*,misc-static-assert,clang-diagnostic-*)
  # What one file declares another one of the floor may have defined before, and its local names may be names of another.
  [[ "$file" == "$joined"/* ]] && shadows=--extra-arg=-Wno-shadow
  [[ -z "$names_alone" && "$file" == "$joined"/* ]] && checks=(--checks=-readability-redundant-declaration)
  clang-tidy --quiet -p "$build" --config-file=.clang-tidy --warnings-as-errors='*' "${checks[@]}" \
    --extra-arg=-Wno-unknown-warning-option ${shadows:+"$shadows"} "${paths[@]/#/--extra-arg=}" "$file" 2>/dev/null |
    awk -v file="$file" '
      BEGIN {
        while ((getline line < file) > 0) {
          ++number
          if (line ~ /^\/\/ joined: /) { ++parts; begin[parts] = number; name[parts] = substr(line, 12) }
        }
      }
      match($0, /\/joined\/[^:]*:[0-9]+:/) {
        split(substr($0, RSTART, RLENGTH), place, ":")
        for (part = parts; part > 1 && begin[part] > place[2]; --part) {}
        $0 = name[part] ":" (place[2] - begin[part]) ":" substr($0, RSTART + RLENGTH)
      }
      { print }'
  status=${PIPESTATUS[0]}
  return "$status"
}

# join FILE...: the files of each floor become one, whose name is printed; what is compiled once for every set of
# instructions includes itself and stays alone.
join() {
  local file target
  for file in "$@"; do
    if grep -q 'define HWY_TARGET_INCLUDE' "$file"; then
      echo "$file"
    else
      case "$file" in
        libdk/machine/*) target=$joined/$(dirname "$file")/all.cpp ;;
        *) target=$joined/$(cut -d/ -f1-2 <<<"$file")/all.cpp ;;
      esac
      mkdir -p "$(dirname "$target")"
      [ -e "$target" ] || echo "$target"
      { echo "// joined: $file"; cat "$file"; } >>"$target"
    fi
  done
}

cmake -S . -B "$build" -G Ninja -DDK_UNITY=OFF -DDK_OPENMP=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >"$build.log" 2>&1 ||
  { tail -30 "$build.log"; exit 1; }
if [ "$1" = --alone ]; then
  shift
  parts=$(printf '%s\n' "$@")
else
  [ "$1" != --names ] || { names_alone=yes; shift; }
  parts=$(join "$@")
fi
echo "$# files in $(echo "$parts" | wc -l) parts"
export build joined names_alone
export -f look
echo "$parts" | xargs -P "$(nproc)" -I{} bash -c 'look "$1"' _ {}
