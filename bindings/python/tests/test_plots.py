# SPDX-License-Identifier: Apache-2.0
"""Plots draw the numbers that the model has, and notebooks show it in a table."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

import libdk

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

X, y = load_iris(return_X_y=True)
DATA = libdk.Data(X, labels=y)


def test_weights_are_bars():
    model = libdk.train(DATA, "svm", kernel=["linear", "rbf(gamma=0.1)", "rbf(gamma=1)"], weights="align")
    ax = model.plot_weights()
    bars = {label.get_text(): bar.get_width() for label, bar in zip(ax.get_yticklabels(), ax.patches)}
    assert bars == pytest.approx(dict(model.weights()))
    assert [bar.get_y() for bar in ax.patches] == sorted((bar.get_y() for bar in ax.patches), reverse=True)


def test_prototypes_are_lines_of_shares():
    model = libdk.train(DATA, "svm", kernel="rbf(gamma=0.5)", multiclass="ovr")
    ax = model.plot_prototypes()
    found = model.prototypes()
    assert len(ax.lines) == len(found) == 6
    for line, one in zip(ax.lines, found):
        shares = np.cumsum(np.sort(np.abs(one.coefficients))[::-1])
        np.testing.assert_allclose(line.get_ydata(), shares[:len(line.get_ydata())], atol=1e-12)
    assert ax.get_legend().get_texts()[0].get_text() == f"0, nearest row {found[0].nearest[0]}"


def test_prototypes_that_are_points_are_lines_of_features():
    model = libdk.train(DATA, "super_sparse", prototypes=2, kernel="rbf(gamma=0.5)", scale="none")
    ax = model.plot_prototypes()
    for line, values in zip(ax.lines, model.prototype_coordinates()):
        np.testing.assert_array_equal(line.get_ydata(), values)


def test_tuning_is_drawn_along_its_longest_number():
    model = libdk.cross_validate(DATA, "svm", grid="C=0.01:100:1;kernel=[linear,rbf(gamma=0.1)]")
    told = model.info()["cross_validation"]
    ax = model.plot_tuning("auc")
    assert ax.get_xlabel() == "C" and ax.get_ylabel() == "auc" and ax.get_xscale() == "log"
    named = {container.get_label(): container.lines[0] for container in ax.containers}
    assert set(named) == {"kernel=linear", "kernel=rbf(gamma=0.1)"}
    for name, line in named.items():
        own = sorted((float(one["parameters"]["C"]), one["metrics"]["auc"]["mean"]) for one in told["candidates"]
                     if f"kernel={one['parameters']['kernel']}" == name)
        assert list(zip(line.get_xdata(), line.get_ydata())) == own
    best = told["candidates"][told["best"]]
    star = [line for line in ax.lines if line.get_marker() == "*"][0]
    assert (star.get_xdata()[0], star.get_ydata()[0]) == (float(best["parameters"]["C"]), best["metrics"]["auc"]["mean"])
    with pytest.raises(ValueError, match="metric is 'aucc'; the candidates have accuracy, auc"):
        model.plot_tuning("aucc")
    with pytest.raises(ValueError, match="was not chosen by cross-validation"):
        libdk.train(DATA, "svm").plot_tuning()


def test_plots_go_to_given_axes():
    figure, axes = plt.subplots(1, 2)
    model = libdk.train(DATA, "svm", kernel="rbf(gamma=0.5)")
    assert model.plot_weights(axes[0]) is axes[0] and model.plot_prototypes(axes[1]) is axes[1]
    plt.close(figure)


def test_notebooks_show_a_table():
    frame_names = ["a<b", "c", "d", "e"]
    model = libdk.cross_validate(libdk.Data(X, labels=[("<script>", "b", "c")[k] for k in y], names=frame_names), "svm",
                                 kernel=["linear", "rbf(gamma=0.1)"])
    page = model._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page
    assert "cross-validation" in page and page.count("width:") == 2 and "6 prototypes" in page
    for tag in ("table", "tr", "td", "details", "div"):
        assert page.count(f"<{tag}>") + page.count(f"<{tag} ") == page.count(f"</{tag}>")


def test_prototypes_are_short():
    text = repr(libdk.train(DATA, "svm").prototypes())
    assert len(text) < 1200 and "near rows" in text
