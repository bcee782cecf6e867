# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# How the ABI of a library is written down; read by install_test.sh and record.sh.

# Whether a library has the debug information that types are read from.
abi_has_types() { # library
    readelf --sections --wide "$1" | grep -q '\.debug_info'
}

# The record: exported functions with the types that dk.h shows, nothing of the machine it was made on.
abi_write() { # library, include directory, output
    abidw --headers-dir "$2" --drop-private-types --exported-interfaces-only --no-corpus-path --no-comp-dir-path \
        --no-show-locs --no-elf-needed --out-file "$3" "$1"
}

# The names of the functions in a record.
abi_recorded_symbols() { # record
    sed -n "s/.*<elf-symbol name='\([^']*\)'.*type='func-type'.*/\1/p" "$1" | sort -u
}

# The names that a library exports, without versions.
abi_exported_symbols() { # library
    nm --dynamic --defined-only "$1" | awk '$2 == "T" || $2 == "W" { sub(/@.*/, "", $3); print $3 }' | sort -u
}

# The values of the enumerators of dk.h that programs are compiled with.
abi_constants() { # include directory
    cc -E -P -x c "$1/dk/dk.h" | grep -oE '\bDK_[A-Z0-9_]+ = -?[0-9]+' | sort -u
}
