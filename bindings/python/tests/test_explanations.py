# SPDX-License-Identifier: Apache-2.0
"""Why a row got its prediction, and pages about models."""

import libdk
import numpy as np
import pytest


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(7)
    x = rng.normal(size=(90, 4))
    names = np.array(["left", "middle", "right"])
    return x, names[np.digitize(x[:, 0] + 0.5 * x[:, 1], [-0.5, 0.5])]


@pytest.fixture(scope="module")
def data(problem):
    x, y = problem
    return libdk.Data(x, labels=y, names=["age", "size", "weight", "height"])


@pytest.fixture(scope="module")
def model(data):
    return libdk.train(data, "svm", kernel=["linear", "rbf(gamma=0.3)"], C=10, probability=True)


def all_parts(group):
    return list(group.pulls) + ([group.others] if group.others is not None else []) + [group.offset]


def test_parts_sum_to_the_answer_and_shares_to_100(problem, data, model):
    x, _ = problem
    for row in range(0, 90, 11):
        told = model.explain_row(x, row)
        assert told.row == row
        assert told.prediction == model.class_names[int(model.predict(x[row:row + 1])[0])]
        assert told.probability == model.probability(x[row:row + 1])[0, model.class_names.index(told.prediction)]
        for group in (told.prototypes, told.training_rows, told.kernels):
            parts = all_parts(group)
            assert sum(part.contribution for part in parts) == pytest.approx(told.answer, rel=1e-10, abs=1e-10)
            assert sum(abs(part.share) for part in parts) == pytest.approx(100, abs=1e-9)
            assert all(part.share * part.contribution >= 0 for part in parts)
            strengths = [abs(pull.contribution) for pull in group.pulls]
            assert strengths == sorted(strengths, reverse=True)


def test_the_answer_is_a_decision(problem):
    x, y = problem
    two = libdk.train(libdk.Data(x, labels=y == "left"), "svm", kernel="rbf(gamma=0.3)")
    for row in (0, 1, 2, 3):
        decision = two.decision(x[row:row + 1])[0, 0]
        told = two.explain_row(x, row)
        assert told.answer == pytest.approx(abs(decision), rel=1e-12)
        assert told.distance == pytest.approx(abs(decision) / two.normals[0], rel=1e-9)
        assert told.kernels is None and told.probability is None


def test_a_counterfactual_turns_the_prediction(problem, data, model):
    x, _ = problem
    turned = 0
    for row in range(0, 90, 11):
        told = model.explain_row(data, row, training=data)
        if told.counterfactual is None:
            continue
        turned += 1
        changed = told.counterfactual.applied(x[row])
        elected = model.class_names[int(model.predict(changed[None])[0])]
        assert elected == told.counterfactual.prediction != told.prediction
        for change in told.counterfactual.changes:
            assert change.old == x[row, change.column] and change.feature == data.names[change.column]
        lengths = [change.deviations for change in told.counterfactual.changes]
        assert told.counterfactual.distance == pytest.approx(np.linalg.norm(lengths))
    assert turned > 5


def test_training_rows_have_classes_where_they_are_known(problem, data, model):
    x, y = problem
    told = model.explain_row(x, 5, training=data)
    assert all(pull.label == y[pull.source] for pull in told.training_rows.pulls)
    assert told.nearest_other.prediction != told.prediction
    nearest = model.class_names[int(model.predict(x[told.nearest_other.row][None])[0])]
    assert nearest == told.nearest_other.prediction
    alone = model.explain_row(x, 5)
    assert alone.nearest_other is None and alone.training_rows.pulls[0].label is None


def test_influences_are_what_training_without_the_row_changes(problem):
    x, y = problem
    labels = y == "left"
    parameters = {"kernel": "rbf(gamma=0.3)", "C": 10}
    told = libdk.train(libdk.Data(x, labels=labels), "kelm", **parameters).explain_row(x, 4)
    assert told.influences.exact
    for influence in told.influences.rows[:3]:
        rest = np.arange(90) != influence.row
        without = libdk.train(libdk.Data(x[rest], labels=labels[rest]), "kelm", **parameters)
        sign = 1 if told.prediction == without.class_names[1] else -1
        decision = sign * without.decision(x[4:5])[0, 0]
        assert told.answer - decision == pytest.approx(influence.change, rel=1e-8)


def test_a_regression_explains_its_value(problem):
    x, _ = problem
    y = np.sin(x[:, 0])
    data = libdk.Data(x, targets=y)
    for machine in ("kernel_ridge", "svr"):
        model = libdk.train(data, machine, kernel="rbf(gamma=0.3)")
        told = model.explain_row(x, 3, training=data)
        assert told.prediction == told.answer == pytest.approx(model.predict(x[3:4])[0], rel=1e-12)
        assert told.instead_of is None and told.counterfactual is None
        assert told.training_rows.pulls[0].target == y[told.training_rows.pulls[0].source]
        assert sum(part.contribution for part in all_parts(told.training_rows)) == pytest.approx(told.answer, rel=1e-10)


def test_an_explanation_prints_itself(data, model):
    told = model.explain_row(data, 5, training=data)
    lines = str(told).splitlines()
    assert lines[0].startswith(f"row 5 is {told.prediction} and not {told.instead_of}: answer ")
    assert {"prototypes that pull", "training rows that pull", "kernels that pull"} <= set(lines)
    assert any(line.endswith("(normalize(linear))") for line in lines)
    assert sum(line.endswith("  offset") for line in lines) == 3
    assert len(lines) < 50


def test_rows_that_are_not_there_fail_with_their_number(problem, data, model):
    x, y = problem
    for row in (90, -1):
        with pytest.raises(libdk.InvalidValueError, match=f"row is {row}; allowed is 0 to 89"):
            model.explain_row(x, row)
    with pytest.raises(ValueError, match="row"):
        model.explain_row(x, 0, training=x[:50])
    with pytest.raises(libdk.CancelledError):
        model.explain_row(x, 0, training=data, progress=lambda fraction, stage: False)


def test_a_report_is_a_page_and_the_same_bytes(data, model, tmp_path):
    model.report(tmp_path / "first.html", data, training=data, title="Three <classes>", rows=3, n_jobs=1)
    model.report(tmp_path / "again.html", data, training=data, title="Three <classes>", rows=3)
    page = (tmp_path / "first.html").read_bytes()
    assert page.startswith(b"<!DOCTYPE html>") and b"<title>Three &lt;classes&gt;</title>" in page
    assert page == (tmp_path / "again.html").read_bytes()
    # without the training rows, and of rows that are pictures
    model.report(tmp_path / "pictures.html", data, image=(2, 2))
    assert b"<!DOCTYPE html>" in (tmp_path / "pictures.html").read_bytes()[:20]
    with pytest.raises(libdk.InvalidValueError, match="rows"):
        model.report(tmp_path / "none.html", data, rows=0)
    with pytest.raises(OSError):
        model.report(tmp_path / "none" / "page.html", data)
    assert not (tmp_path / "none.html").exists()


def test_models_are_compared(problem, data, model, tmp_path):
    other = libdk.train(data, "kelm", kernel="rbf(gamma=0.3)")
    libdk.compare(tmp_path / "page.html", [model, other], data)
    libdk.compare(tmp_path / "again.html", (one for one in (model, other)), data, n_jobs=1)
    page = (tmp_path / "page.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and "svm" in page and "kelm" in page
    assert page == (tmp_path / "again.html").read_text()
    regression = libdk.train(libdk.Data(problem[0], targets=problem[0][:, 0]), "svr")
    with pytest.raises(libdk.InvalidValueError, match="model 1 is of regression"):
        libdk.compare(tmp_path / "none.html", [model, regression], data)
    with pytest.raises(libdk.InvalidValueError, match="count"):
        libdk.compare(tmp_path / "none.html", [], data)
