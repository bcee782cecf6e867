#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The wheel with the newest CPython, numpy, pandas and scikit-learn that Debian has:
#   tests/newest.sh FOLDER
# makes a root of its unstable suite in FOLDER, anew each week, builds the wheel of the stable ABI with the SWIG from there,
# installs it there, and runs the tests of Python with all checks of scikit-learn. The same wheel also serves this machine's
# CPython, which has to be 3.11 or later. It needs root, and an x86-64 processor.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0"; exit 2; }
cd "$(dirname "$0")/.."
mkdir -p "$1"
folder=$(cd "$1" && pwd)
root=$folder/root

if [ -z "$(find "$folder/root.made" -mtime -7 2>/dev/null)" ]; then
  rm -rf "$root" "$folder/root.made"
  # Mirrors may lag behind the date until which a list of packages is valid.
  mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' \
    --include=python3,python3-pip,python3-pytest,python3-numpy,python3-scipy,python3-pandas,python3-sklearn,python3-matplotlib,swig \
    unstable "$root"
  touch "$folder/root.made"
fi
chroot "$root" python3 -c 'import sys, numpy, pandas, sklearn
print("CPython", sys.version.split()[0], "numpy", numpy.__version__, "pandas", pandas.__version__,
      "scikit-learn", sklearn.__version__)'

# Its SWIG runs here, on its own libraries, and reads the files of this folder.
library=$(dirname "$(ls "$root"/usr/share/swig*/*/swig.swg | head -1)")
cat >"$folder/swig" <<END
#!/bin/sh
SWIG_LIB="$library" exec "$root/lib64/ld-linux-x86-64.so.2" --library-path "$root/usr/lib/x86_64-linux-gnu" \
  "$root/usr/bin/swig" "\$@"
END
chmod +x "$folder/swig"

rm -f "$folder"/build/bindings/python/*.whl
cmake -S . -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDK_BUILD_PYTHON=ON -DDK_BUILD_TESTS=OFF \
  -DDK_BUILD_CLI=OFF -DDK_BUILD_EXAMPLES=OFF -DSWIG_EXECUTABLE="$folder/swig" -DSWIG_DIR="$library" >"$folder/build.log"
cmake --build "$folder/build" --target dk_python >>"$folder/build.log" || { tail -40 "$folder/build.log"; exit 1; }
wheel=$(ls "$folder"/build/bindings/python/libdk-*-abi3-*.whl)
echo "$(basename "$wheel")"

install=(-m pip install --quiet --no-index --no-deps --upgrade)
rm -rf "$root/opt/libdk" "$folder/here"
mkdir -p "$root/opt/libdk/bindings/python"
cp "$wheel" "$root/opt/libdk"
cp -r bindings/python/tests "$root/opt/libdk/bindings/python"
cp -r docs examples "$root/opt/libdk"
chroot "$root" python3 "${install[@]}" --target /opt/libdk/installed "/opt/libdk/$(basename "$wheel")"
chroot "$root" env PYTHONPATH=/opt/libdk/installed PYTHONDONTWRITEBYTECODE=1 \
  python3 -m pytest -q -p no:cacheprovider /opt/libdk/bindings/python/tests

/usr/bin/python3 "${install[@]}" --target "$folder/here" "$wheel"
PYTHONPATH=$folder/here PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m pytest -q -p no:cacheprovider \
  bindings/python/tests/test_data.py bindings/python/tests/test_model.py
