#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Support vector machines against LIBSVM's and liblinear's programs, whole processes that read the same files.

    margin_bench.py DK FOLDER [REPEATS]

DK is the dk command, FOLDER has the files of export.R. Times are medians after a run that is not counted, which brings
program and files into memory; ratios are LIBSVM's over libdk's.
"""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

SETS = [("satellite", 16, 2), ("letter", 16, 4), ("shuttle", 32, 8), ("mixture", 10, 0.01)]

# mcvm keeps a margin to the mean of the other classes, which narrow kernels without an offset make a nearest-row rule
ALL_CLASSES = {"satellite": (2, 40), "letter": (16, 40), "shuttle": (1, 2000)}


def run(command):
    began = time.monotonic()
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return time.monotonic() - began, result


def median_time(command, repeats):
    times, result = [], None
    run(command)
    for _ in range(repeats):
        seconds, result = run(command)
        times.append(seconds)
    return statistics.median(times), result


def core_vector_machines(dk, folder):
    """The accuracy of core vector machines beside the exact machine with squared slack, for mcvm with its kernel too."""
    for name, cost, gamma in SETS:
        if name not in ALL_CLASSES:
            continue
        own_cost, own_gamma = ALL_CLASSES[name]
        machines = [("svm", cost, gamma, ["loss=squared_hinge"]), ("cvm", cost, gamma, []),
                    ("cvm", cost, gamma, ["stop=epsilon"]), ("bvm", cost, gamma, []),
                    ("bvm", cost, gamma, ["stop=epsilon"]), ("svm", own_cost, own_gamma, ["loss=squared_hinge"]),
                    ("mcvm", own_cost, own_gamma, ["offset=no"]),
                    ("mcvm", own_cost, own_gamma, ["offset=no", "gap=1e-4"])]
        for machine, c, g, settings in machines:
            model = f"{folder}/{name}.dk"
            command = [dk, "train", f"{folder}/{name}.train", "-o", model, "-m", machine, "-k", f"rbf(gamma={g})"]
            for setting in [f"C={c}", "neighbours=0"] + settings:
                command += ["-p", setting]
            seconds, _ = run(command)
            _, result = run([dk, "predict", model, f"{folder}/{name}.test", "-o", f"{folder}/{name}.out"])
            accuracy = 100 * float(re.search(r"accuracy (\S+)", result.stderr).group(1))
            what = " ".join([machine, f"C={c} gamma={g}"] + settings)
            print(f"{name:10} {what:40} {seconds:8.3f}  {accuracy:8.2f}")


def linear_machines(dk, folder, repeats):
    """Linear kernels against liblinear's dual coordinate descent to the same tolerance, whose offset is penalised."""
    if shutil.which("liblinear-train") is None:
        print("ABSENT: liblinear (Debian: liblinear-tools); linear machines are not timed")
        return
    for name, writer, size in [("texts", "text_rows.py", ["100000", "100000", "0.3"]),
                               ("counts", "count_rows.py", ["15935", "62061", "20"])]:
        if not os.path.exists(f"{folder}/{name}.train"):
            run([sys.executable, os.path.join(os.path.dirname(__file__), writer), f"{folder}/{name}.train"] + size)
    for name, costs in [("texts", (1, 100)), ("mixture", (10,)), ("counts", (1,))]:
        for cost in costs:
            train = f"{folder}/{name}.train"
            # It makes a thousand passes at most.
            peer, result = median_time(
                ["liblinear-train", "-s", "3", "-B", "1", "-e", "0.001", "-c", str(cost), train, f"{folder}/{name}.svm"], 1)
            stopped = ", stopped at its limit" if "max number of iterations" in result.stdout + result.stderr else ""
            print(f"{name:10} liblinear C={cost:<10} {peer:8.3f}{stopped}")
            for threads in (2, 1):
                own, _ = median_time([dk, "train", train, "-o", f"{folder}/{name}.dk", "--threads", str(threads), "-k",
                                      "linear", "-p", f"C={cost}", "-p", "multiclass=ovr", "-p", "neighbours=0"], repeats)
                print(f"{name:10} linear C={cost:<5} {threads}t      {own:8.3f} {peer / own:6.2f}")


def main():
    dk, folder = sys.argv[1], sys.argv[2]
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    print(f"{'set':10} {'what':22} {'seconds':>8} {'ratio':>6}  {'accuracy':>8}  objective")
    for name, cost, gamma in SETS:
        train, test = f"{folder}/{name}.train", f"{folder}/{name}.test"
        seconds, result = median_time(
            ["svm-train", "-c", str(cost), "-g", str(gamma), train, f"{folder}/{name}.svm"], repeats)
        objective = sum(float(value) for value in re.findall(r"obj = (\S+),", result.stdout))
        has_test = name != "mixture"
        accuracy = predicting = None
        if has_test:
            predicting, result = median_time(
                ["svm-predict", test, f"{folder}/{name}.svm", f"{folder}/{name}.out"], repeats)
            accuracy = float(re.search(r"Accuracy = (\S+)%", result.stdout).group(1))
        print(f"{name:10} {'svm-train':22} {seconds:8.3f} {'':6}  {accuracy or 0:8.2f}  {objective:.6f}")
        for threads, precision, neighbours in [(2, "single", 0), (1, "single", 0), (2, "double", 0), (2, "single", 5)]:
            model = f"{folder}/{name}.dk"
            own, _ = median_time(
                [dk, "train", train, "-o", model, "--threads", str(threads), "-k", f"rbf(gamma={gamma})", "-p",
                 f"C={cost}", "-p", f"precision={precision}", "-p", f"neighbours={neighbours}"], repeats)
            info = json.loads(run([dk, "info", model, "--json"])[1].stdout)
            own_objective = sum(f["objective"] for f in info["training"]["functions"])
            own_accuracy = 0.0
            line = f"train {precision} {threads}t" + (" prototypes" if neighbours else "")
            own_predicting = 0.0
            if has_test:
                own_predicting, result = median_time(
                    [dk, "predict", model, test, "-o", f"{folder}/{name}.out", "--threads", str(threads)], repeats)
                own_accuracy = 100 * float(re.search(r"accuracy (\S+)", result.stderr).group(1))
            worse = (own_objective - objective) / abs(objective)
            print(f"{name:10} {line:22} {own:8.3f} {seconds / own:6.2f}  {own_accuracy:8.2f}  {own_objective:.6f} "
                  f"({worse:+.1e})")
            if has_test:
                print(f"{name:10} {'  predict':22} {own_predicting:8.3f} {predicting / own_predicting:6.2f}")
    linear_machines(dk, folder, repeats)
    core_vector_machines(dk, folder)


if __name__ == "__main__":
    main()
