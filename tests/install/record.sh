#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Writes tests/install/libdk.abi and libdk.constants anew:
#
#   tests/install/record.sh LIBRARY SOURCE_DIR
#
# LIBRARY is a libdk.so compiled with -g (for example -DCMAKE_BUILD_TYPE=RelWithDebInfo). Do this when the
# ABI has grown on purpose, and look at the difference before it is committed: lines may only be added
# within one major version.
set -eu
export LC_ALL=C

[ $# -eq 2 ] || { sed -n '5,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
library=$(readlink -f "$1")
source=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/abi.sh"

command -v abidw >/dev/null || { echo "record.sh: abidw is missing (Debian: abigail-tools)" >&2; exit 2; }
abi_has_types "$library" || { echo "record.sh: $library has no debug information; compile with -g" >&2; exit 2; }
abi_write "$library" "$source/include" "$here/libdk.abi"
abi_constants "$source/include" >"$here/libdk.constants"
echo "wrote $here/libdk.constants: $(wc -l <"$here/libdk.constants") constants"
echo "wrote $here/libdk.abi: $(abi_recorded_symbols "$here/libdk.abi" | wc -l) functions"
