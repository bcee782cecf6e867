# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of tests/bindings/conformance.c, which says what is read and written:

    conformance.py CASES DATA_FOLDER OUT_FOLDER
"""

import pathlib
import sys

import libdk

cases, data_folder, out_folder = (pathlib.Path(argument) for argument in sys.argv[1:4])

for line in cases.read_text().splitlines():
    name, file, machine, *pairs = line.split("\t")
    file, _, options = file.partition(" ")
    data = libdk.Data.read(data_folder / file, options)
    parameters = dict(pair.split("=", 1) for pair in pairs)
    model = libdk.train(data, machine, **parameters)
    with open(out_folder / name, "wb") as out:
        out.write(model.predict(data).tobytes())
        out.write(model.decision(data).tobytes())
        out.write(model.explain(data).contributions.tobytes())
        for weight in model.weights().values():
            out.write(memoryview(libdk._calls.doubles([weight])))
        for prototype in model.prototypes():
            out.write(prototype.coefficients.tobytes())
        if model.transform_count > 0:
            out.write(model.transform(data).tobytes())
        out.write(model.to_bytes())
