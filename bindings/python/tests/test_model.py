# SPDX-License-Identifier: Apache-2.0
"""Train, predict, weights, prototypes, explain, and what ends a call."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import libdk
import numpy as np
import pytest


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(90, 4))
    y = np.digitize(x[:, 0] + 0.5 * x[:, 1], [-0.5, 0.5])
    return x, y


@pytest.fixture(scope="module")
def model(problem):
    x, y = problem
    return libdk.train(libdk.Data(x, labels=y), "svm", kernel=["linear", "rbf(gamma=0.3)"], C=10, probability=True)


def test_answers_have_their_shapes_and_agree(problem, model):
    x, y = problem
    assert np.mean(model.predict(x) == y) > 0.9
    assert model.decision(x).shape == (90, 3)
    np.testing.assert_allclose(model.probability(x).sum(axis=1), 1)
    # every explanation adds up to its decision
    said = model.explain(x)
    sums = said.contributions.reshape(90, 3, 2).sum(axis=2) + said.offsets
    np.testing.assert_allclose(sums, model.decision(x), atol=1e-9)
    assert model.score(libdk.Data(x, labels=y), "accuracy") == np.mean(model.predict(x) == y)
    counts = model.confusion(libdk.Data(x, labels=y))
    for truth in range(3):
        for predicted in range(3):
            assert counts[truth, predicted] == np.sum((y == truth) & (model.predict(x) == predicted))


def test_weights_and_prototypes(problem, model):
    x, y = problem
    assert list(model.weights()) == ["normalize(linear)", "rbf(gamma=0.3)"]
    assert sum(model.weights().values()) == pytest.approx(1)
    prototypes = model.prototypes()
    assert len(prototypes) == 6
    for prototype in prototypes:
        assert prototype.coefficients.min() >= 0 and prototype.coefficients.sum() == pytest.approx(1)
        assert list(prototype.distances) == sorted(prototype.distances)
        assert set(y[prototype.coefficients > 0]) == {int(prototype.label)}
    linear = libdk.train(libdk.Data(x, labels=y > 1), "mean_of_class", kernel="linear")
    np.testing.assert_allclose(linear.prototype_coordinates(), [x[y > 1].mean(axis=0), x[y <= 1].mean(axis=0)])
    np.testing.assert_allclose(linear.normals, np.linalg.norm(np.subtract(*linear.prototype_coordinates())), rtol=1e-6)
    assert "function 0 p+" in str(prototypes[0])


def test_same_bits_from_any_threads_layout_and_batch(problem, model):
    x, y = problem
    again = libdk.train(libdk.Data(np.asfortranarray(x), labels=y), "svm", kernel=["linear", "rbf(gamma=0.3)"], C=10,
                        probability=True, n_jobs=1)
    assert again.to_bytes() == model.to_bytes()
    whole = model.decision(x)
    np.testing.assert_array_equal(model.decision(x[7:8]), whole[7:8])


def test_models_are_kept(problem, model, tmp_path):
    x, _ = problem
    model.save(tmp_path / "model.dk")
    for same in (libdk.load(tmp_path / "model.dk"), pickle.loads(pickle.dumps(model)),
                 libdk.Model.from_bytes(model.to_bytes())):
        np.testing.assert_array_equal(same.decision(x), model.decision(x))
    with pytest.raises(ValueError):
        libdk.Model.from_bytes(model.to_bytes()[:-7])
    with pytest.raises(OSError):
        libdk.load(tmp_path / "none.dk")
    with pytest.raises(TypeError):
        libdk.Model()


def test_cross_validation_grids_and_comparison(problem):
    x, y = problem
    data = libdk.Data(x, labels=y)
    best = libdk.cross_validate(data, "svm", kernel="rbf(gamma=0.3)", grid={"C": [0.1, 10]}, folds=3)
    candidates = best.info()["cross_validation"]["candidates"]
    assert [candidate["parameters"]["C"] for candidate in candidates] == ["0.1", "10"]
    compared = libdk.compare_weights(data, "svm", kernel=["linear", "rbf(gamma=0.3)"], folds=3)
    assert len(compared.info()["cross_validation"]["candidates"]) > 5
    small = best.compress(x, prototypes=6)
    assert small.prototype_count == 6
    assert np.mean(small.predict(x) == best.predict(x)) > 0.9


def test_features_and_products(problem):
    x, y = problem
    components = libdk.train(x, "kernel_pca", kernel="linear", components=4)
    centred = x - x.mean(axis=0)
    scores = components.transform(x)
    np.testing.assert_allclose(scores @ scores.T, centred @ centred.T, atol=1e-9)
    np.testing.assert_allclose(components.reconstruct(x), x, atol=1e-9)
    v = np.stack([np.arange(90.0), np.ones(90)], axis=1)
    np.testing.assert_allclose(libdk.gram_product(x, x, v), libdk.gram(x) @ v)
    np.testing.assert_allclose(libdk.gram_product(x, x, v[:, 0]), libdk.gram(x) @ v[:, 0])
    # one client: the threshold at no false acceptance is above the best impostor
    assert list(libdk.verification_curve([0, 1], [3.0, 1, 2], [True, True, False])) == [0.5, 0]


def test_parameters_say_what_is_allowed(problem):
    x, y = problem
    data = libdk.Data(x, labels=y)
    for parameters, message in (({"c": 1}, "C"), ({"C": -1}, "greater than 0"),
                                ({"kernel": "rbf(gama=1)"}, "gamma"), ({"C": "many"}, "number")):
        with pytest.raises(libdk.InvalidValueError, match=message):
            libdk.train(data, "svm", **parameters)
    with pytest.raises(ValueError, match="svm"):
        libdk.train(data, "swm")
    many = np.random.default_rng(1).normal(size=(2000, 2))
    with pytest.raises(libdk.OutOfMemoryError) as failure:
        libdk.train(libdk.Data(many, labels=many[:, 0] > 0), "kelm", solver="exact", memory=1)
    assert failure.value.status == libdk.Status.MEMORY_BUDGET
    assert libdk.train(data, "svm", max_iterations=1e5).info()["parameters"]["max_iterations"] == "100000"
    weighted = libdk.train(data, "svm", class_weight={0: 1, 1: 5, 2: 1})
    assert weighted.info()["parameters"]["class_weight"] == "0:1,1:5,2:1"


def test_errors_pickle():
    error = pickle.loads(pickle.dumps(libdk.UnsupportedError(libdk.Status.UNSUPPORTED, "no")))
    assert error.status == libdk.Status.UNSUPPORTED and str(error) == "no"


def long_training(**calls):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(6000, 5))
    return libdk.train(libdk.Data(x, labels=rng.integers(0, 2, 6000)), "svm", C=1e6, tolerance=1e-9, n_jobs=1, **calls)


def test_listeners_hear_and_stop():
    heard = []

    def listener(fraction, stage):
        heard.append((fraction, stage))
        return len(heard) < 3

    with pytest.raises(libdk.CancelledError):
        long_training(progress=listener)
    assert len(heard) == 3 and all(0 <= fraction <= 1 and stage for fraction, stage in heard)

    with pytest.raises(libdk.CancelledError):
        long_training(progress=lambda *_: np.bool_(False))

    def failing(fraction, stage):
        raise LookupError("stop")

    with pytest.raises(LookupError, match="stop"):
        long_training(progress=failing)


def test_interrupts_end_a_call():
    # A process that a shell began in the background ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            long_training()
        assert time.monotonic() - began < 3
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_run_meanwhile(problem):
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.raises(libdk.CancelledError):
        began = time.monotonic()
        long_training(progress=lambda *_: time.monotonic() - began < 0.5)
    stop.set()
    thread.join()
    assert counted[0] > 50


DAEMON = """
import threading, time
import libdk, numpy as np
x = np.random.default_rng(0).normal(size=(3000, 10))
data = libdk.Data(x, labels=(x[:, 0] > 0).astype(int))
model = libdk.train(data, "svm")

def work(call):
    while True:
        call()

for call in (lambda: libdk.train(data, "svm", C=1e4), lambda: model.predict(data)):
    threading.Thread(target=work, args=(call,), daemon=True).start()
time.sleep(0.3)
"""


def test_the_program_ends_while_daemon_threads_train_and_predict():
    for _ in range(3):
        ended = subprocess.run([sys.executable, "-c", DAEMON], capture_output=True, text=True, timeout=120)
        assert ended.returncode == 0, ended.stderr


def test_the_library_tells_of_itself():
    assert libdk.__version__ == libdk.version()
    assert libdk.version() in libdk.build_info()
    described = libdk.describe()
    assert {"machines", "kernels", "weights", "common", "metrics"} <= set(described)
    assert {machine["name"]: machine["sample_weights"] for machine in described["machines"]}["fisher"] is False


def test_sets_hold_the_predicted_class_and_intervals_the_prediction():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(120, 2))
    y = (x[:, 0] + 0.5 * rng.normal(size=120) > 0).astype(int)
    model = libdk.train(libdk.Data(x[:60], labels=y[:60]), "svm").calibrate(libdk.Data(x[60:], labels=y[60:]))
    sets = model.predict_set(x, 0.9)
    assert sets.shape == (120, 2) and sets.dtype == bool
    assert sets[np.arange(120), model.predict(x).astype(int)].all()
    regression = libdk.train(libdk.Data(x, targets=x[:, 0]), "kernel_ridge", confidence=0.8)
    interval = regression.predict_set(x)
    assert (interval[:, 0] <= regression.predict(x)).all() and (regression.predict(x) <= interval[:, 1]).all()


def test_models_learn_from_further_rows_and_forget_some(problem):
    x, y = problem
    settings = {"kernel": "rbf(gamma=1)", "scale": "none", "updatable": True}
    part = libdk.train(libdk.Data(x[:80], labels=y[:80]), "kelm", **settings)
    whole = part.update(libdk.Data(x[80:], labels=y[80:]))
    assert np.allclose(whole.decision(x), libdk.train(libdk.Data(x, labels=y), "kelm", **settings).decision(x), atol=1e-9)
    assert np.allclose(whole.update(forget=range(80, len(x))).decision(x), part.decision(x), atol=1e-9)
    assert whole.training_rows == len(x)
    with pytest.raises(libdk.UnsupportedError, match="updatable"):
        libdk.train(libdk.Data(x, labels=y), "svm").update(libdk.Data(x, labels=y))
    with pytest.raises(libdk.InvalidValueError, match="nothing"):
        part.update()


def test_rows_far_away_are_new(problem):
    x, y = problem
    model = libdk.train(libdk.Data(x, labels=y), "svm", novelty=True)
    far = model.novelty(x + 1000)
    assert far.shape == (len(x), 2) and (far[:, 1] == 1 / (1 + len(x) - len(x) // 2)).all()
    assert ((model.novelty(x)[:, 1] > 0) & (model.novelty(x)[:, 1] <= 1)).all()


def test_thresholds_drift_and_warnings(problem):
    x, y = problem
    two = (y > 0).astype(int)
    plain = libdk.train(libdk.Data(x[:60], labels=two[:60]), "svm", C=10)
    model = plain.move_threshold(libdk.Data(x, labels=two), miss_cost=1e6)
    assert np.all(model.predict(x)[two == 1] == 1)
    assert model.info()["threshold"]["misses"] == 0
    with pytest.raises(libdk.UnsupportedError, match="29"):
        plain.move_threshold(libdk.Data(x[:10], labels=two[:10]), false_alarms=0.1)
    assert plain.drift(x[:40], x[:40]).distance == pytest.approx(0, abs=1e-7)
    assert plain.drift(x[:40] + 2, x[40:]).p == 0.001
    with pytest.raises(libdk.UnsupportedError, match="training rows"):
        plain.drift(x)
    ridge = libdk.train(libdk.Data(x, labels=two), "kelm")
    assert ridge.drift(x + 1) == ridge.drift(x + 1, x)
    leak = libdk.train(libdk.Data(np.column_stack([x, two]), labels=two), "svm", max_iterations=2)
    assert {one.about for one in leak.warnings()} == {"leak", "convergence"}
    assert "warning: leak: " in str(leak)
    assert ridge.warnings() == [] and str(ridge) == repr(ridge)
