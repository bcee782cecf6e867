#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Times kernel matrices against this machine's floor, and all that is measured here against peers, in one run:
#
#   tests/bench/run.sh BUILD_DIR [options of dk_bench, such as --limit=2 --peer-limit=5]
#
# It installs nothing. A peer that is absent is named and left out. DK_BENCH_THREADS (default 2) sets the
# number of threads for all; each peer runs in a process of its own, alone.
set -eu

usage() { sed -n '5,9s/^# \{0,1\}//p' "$0"; exit 2; }
[ $# -ge 1 ] || usage
build=$1
shift

here=$(cd "$(dirname "$0")" && pwd)
threads=${DK_BENCH_THREADS:-2}
repeats=${DK_BENCH_REPEATS:-3}
# Debian's own interpreter has scikit-learn; another python3 may come first in the path.
python=${DK_BENCH_PYTHON:-/usr/bin/python3}

bench=$(find "$build" -name dk_bench -type f -perm -u+x | head -n 1)
if [ -z "$bench" ]; then
    echo "run.sh: no dk_bench under $build; configure with -DDK_BUILD_BENCH=ON" >&2
    exit 2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
"$bench" --export="$work"
load=$(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || echo 0)

# Both BLAS and OpenMP of the peers get the same number of threads as we do.
export OMP_NUM_THREADS="$threads" OPENBLAS_NUM_THREADS="$threads"
peers=

# OpenBLAS, whose products are part of the floor and a peer, is told its best core, whatever the environment says: it
# does not know new processors.
core=Haswell
grep -q avx512f /proc/cpuinfo && core=SkylakeX
export OPENBLAS_CORETYPE="$core"
unset OPENBLAS_L2_SIZE

run_peer() { # name, probe command, timing command
    if sh -c "$2" >/dev/null 2>&1; then
        echo "timing $1 ..." >&2
        sh -c "$3 '$work/cases.txt' '$work/$1.txt' $repeats"
        peers="$peers --peers=$work/$1.txt"
    else
        echo "ABSENT: $1 is not installed; its column stays empty ($4)" >&2
        echo "# $1 ABSENT ($4)" >"$work/$1.txt"
        peers="$peers --peers=$work/$1.txt"
    fi
}

run_peer scikit-learn "$python -c 'import sklearn'" "$python '$here/peers/scikit_learn.py'" \
    "Debian: python3-sklearn"
run_peer kernlab "Rscript -e 'library(kernlab)'" "Rscript '$here/peers/kernlab.R'" \
    "Debian: r-cran-kernlab"

# shellcheck disable=SC2086 # one word for each peer; mktemp gives no blanks
"$bench" --threads="$threads" --load="$load" $peers "$@"

# This times products and factorisations beside Eigen and OpenBLAS.
if /sbin/ldconfig -p | grep -q libopenblas.so.0; then
    "$(dirname "$bench")/dk_product_bench" "$threads"
else
    echo "ABSENT: OpenBLAS (Debian: libopenblas0-pthread); products are not timed" >&2
fi

# This times what the public interface hides: blocks of rows, banks, alignments of series.
"$(dirname "$bench")/dk_engine_bench" "$threads"

# This times margin machines beside LIBSVM's programs, as whole processes that read the same files.
if command -v svm-train >/dev/null && Rscript -e 'library(mlbench)' >/dev/null 2>&1; then
    mkdir "$work/margin"
    Rscript "$here/margin/export.R" "$work/margin"
    "$python" "$here/margin/margin_bench.py" "$(dirname "$bench")/dk" "$work/margin" "$repeats"
else
    echo "ABSENT: LIBSVM or its data (Debian: libsvm-tools r-cran-mlbench); margin machines are not timed" >&2
fi

# This times core vector machines from 10,000 to 1,000,000 rows.
"$(dirname "$bench")/dk_core_vector_bench" "$threads"

# This times prototype machines and how their seconds grow with the rows.
"$(dirname "$bench")/dk_methods_bench" "$threads" prototypes

# This writes every job beside its limit and the best peer.
"$(dirname "$bench")/dk_limits_bench" "$threads" 1000000 "$here/LIMITS.md"

# This times what the languages add to a prediction.
"$here/bindings/overhead.sh" "$build"
