# SPDX-License-Identifier: Apache-2.0
"""Pipelines and searches of scikit-learn: their models decide as they do, on rows that neither has seen."""

import libdk
import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.datasets import load_diabetes, load_iris
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, RandomizedSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC, SVR, LinearSVC, NuSVC, OneClassSVM

X, y = load_iris(return_X_y=True)
LEARNED, HELD_OUT = np.arange(150) % 3 > 0, np.arange(150) % 3 == 0
D, t = (part[:200] for part in load_diabetes(return_X_y=True))
SCALERS = [StandardScaler(), StandardScaler(with_mean=False), StandardScaler(with_std=False), MinMaxScaler((-1, 2)),
           MaxAbsScaler(), RobustScaler(), RobustScaler(with_centering=False, quantile_range=(10, 80)), "passthrough",
           FunctionTransformer(), Pipeline([("a", MinMaxScaler()), ("b", RobustScaler())])]


def expect_same(pipeline, rows, model=None):
    """The model's decisions, values and classes are those of the pipeline."""
    model = libdk.import_sklearn(pipeline) if model is None else model
    if hasattr(pipeline, "decision_function"):
        expected = pipeline.decision_function(rows).reshape(len(rows), -1)
        np.testing.assert_allclose(model.decision(rows), expected, rtol=0, atol=1e-9)
    predicted = model.predict(rows)
    if model.task == "classification" and model.class_names != [str(one) for one in model.classes]:
        assert [model.class_names[int(one)] for one in predicted] == [str(one) for one in pipeline.predict(rows)]
    else:
        np.testing.assert_allclose(predicted, pipeline.predict(rows), rtol=0, atol=1e-9)
    np.testing.assert_array_equal(libdk.Model.from_bytes(model.to_bytes()).decision(rows), model.decision(rows))
    return model


@pytest.mark.parametrize("scaler", SCALERS, ids=str)
@pytest.mark.parametrize("machine", [
    SVC(), SVC(kernel="poly", degree=2, coef0=1), SVC(kernel="sigmoid", gamma=0.01), NuSVC(nu=0.2), LinearSVC(dual=False),
    OneClassSVM(nu=0.2), LogisticRegression(solver="liblinear")], ids=str)
def test_scalers_before_classifiers(scaler, machine):
    two = y < 2  # where votes of pairs have no ties
    pipeline = make_pipeline(scaler, machine).fit((X + 1)[LEARNED & two], y[LEARNED & two])
    expect_same(pipeline, (X + 1)[HELD_OUT])


@pytest.mark.parametrize("scaler", SCALERS, ids=str)
def test_scalers_before_regressions_and_many_classes(scaler):
    for machine in (SVR(C=100), KernelRidge(kernel="rbf", gamma=0.5), KernelRidge()):
        expect_same(make_pipeline(scaler, machine).fit(D[:150], t[:150]), D[150:])
    pipeline = make_pipeline(scaler, SVC(decision_function_shape="ovo")).fit(X[LEARNED], y[LEARNED])
    model = libdk.import_sklearn(pipeline)
    np.testing.assert_allclose(model.decision(X[HELD_OUT]), pipeline.decision_function(X[HELD_OUT]), rtol=0, atol=1e-9)
    expect_same(make_pipeline(scaler, LinearSVC(dual=False)).fit(X[LEARNED], y[LEARNED] * 3 - 1), X[HELD_OUT])


def test_probabilities_of_pipelines():
    pipeline = make_pipeline(StandardScaler(), LogisticRegression(solver="liblinear")).fit(X[y < 2], y[y < 2])
    found = libdk.import_sklearn(pipeline).probability(X)
    np.testing.assert_allclose(found, pipeline.predict_proba(X), rtol=0, atol=1e-9)


def test_columns_that_hardly_vary_and_lie_far_away():
    far = X * [1, 0, 1, 1] + [0, 7, 1e6, -1e4]  # the second is constant
    for machine in (SVC(decision_function_shape="ovo"), LinearSVC(dual=False)):
        pipeline = make_pipeline(StandardScaler(), machine).fit(far[LEARNED], y[LEARNED])
        found = libdk.import_sklearn(pipeline).decision(far[HELD_OUT])
        np.testing.assert_allclose(found, pipeline.decision_function(far[HELD_OUT]), rtol=0, atol=1e-8)


@pytest.mark.parametrize("search", [
    GridSearchCV(make_pipeline(StandardScaler(), SVC()), {"svc__C": [0.1, 10]}),
    GridSearchCV(SVC(), {"C": [0.1, 10]}),
    RandomizedSearchCV(make_pipeline(MinMaxScaler(), LinearSVC(dual=False)), {"linearsvc__C": [0.1, 1, 10]}, n_iter=2),
    HalvingGridSearchCV(make_pipeline(RobustScaler(), SVC()), {"svc__C": [1, 10]}, min_resources=30),
    make_pipeline(StandardScaler(), GridSearchCV(make_pipeline(MaxAbsScaler(), SVC()), {"svc__C": [1, 10]}))])
def test_searches_give_the_best_that_they_found(search):
    two = y < 2
    expect_same(search.fit(X[LEARNED & two], y[LEARNED & two]), X[HELD_OUT])


def test_searches_that_have_no_best_estimator():
    with pytest.raises(ValueError, match="refit=True"):
        libdk.import_sklearn(GridSearchCV(SVC(), {"C": [1]}, refit=False).fit(X, y))
    with pytest.raises(Exception, match="not fitted"):
        libdk.import_sklearn(GridSearchCV(SVC(), {"C": [1]}))
    with pytest.raises(Exception, match="not fitted"):
        libdk.import_sklearn(make_pipeline(StandardScaler(), SVC()))


@pytest.mark.parametrize("step, told", [
    (PolynomialFeatures(2), "PolynomialFeatures"), (Normalizer(), "Normalizer"), (MinMaxScaler(clip=True), "clip"),
    (FunctionTransformer(np.log1p), "FunctionTransformer")])
def test_steps_that_have_no_place_in_a_model(step, told):
    pipeline = Pipeline([("scaled", StandardScaler(with_mean=False)), ("mine", step), ("machine", SVC())]).fit(X, y)
    with pytest.raises(ValueError, match=f"'mine'.*{told}"):
        libdk.import_sklearn(pipeline)
    with pytest.raises(ValueError, match="StandardScaler, MinMaxScaler"):
        libdk.import_sklearn(make_pipeline(PolynomialFeatures(2), SVC()).fit(X, y))


def test_names_of_columns_are_kept():
    rows = pd.DataFrame(X, columns=["sepal length (cm)", "b", "c=1", "größe"])
    for machine in (SVC(), LinearSVC(dual=False)):
        for estimator in (machine, make_pipeline(StandardScaler(), machine)):
            model = expect_same(estimator.fit(rows[y < 2], y[y < 2]), rows)
            assert model.info()["feature_names"] == list(rows.columns)
            np.testing.assert_array_equal(model.decision(rows[rows.columns[::-1]]), model.decision(rows))
            with pytest.raises(libdk.InvalidValueError, match="größe"):
                model.decision(rows.drop(columns="größe"))


def people(count=60):
    random = np.random.default_rng(3)
    return pd.DataFrame({"age": random.normal(40, 10, count), "colour": random.choice(["red", "blue", "größer, als"], count),
                         "income": random.normal(1000, 300, count), "member": random.random(count) > 0.5,
                         "rooms": random.integers(1, 4, count)})


@pytest.mark.parametrize("machine", [SVC(), LinearSVC(dual=False)])
@pytest.mark.parametrize("drop", [None, "first", "if_binary"])
def test_encoders_of_frames(machine, drop):
    rows, labels = people(), np.where(people()["colour"] == "red", 1, 0)
    encoder = ColumnTransformer([("categories", OneHotEncoder(drop=drop, handle_unknown="ignore"), ["colour", "member", "rooms"]),
                                 ("numbers", StandardScaler(), ["income", "age"])])
    pipeline = make_pipeline(encoder, machine).fit(rows[:40], labels[:40])
    new = rows[40:].copy()
    new.iloc[0, 1] = "violet"  # neither has seen it
    model = expect_same(pipeline, new)
    np.testing.assert_array_equal(model.decision(new[new.columns[::-1]]), model.decision(new))
    np.testing.assert_array_equal(model.decision(new.assign(colour=new["colour"].astype("category"))), model.decision(new))
    with pytest.raises(libdk.InvalidValueError, match="colour"):
        model.predict(new.drop(columns="colour"))


def test_parts_of_columns(tmp_path):
    rows, labels = people(), np.where(people()["age"] > 40, "old", "young")
    for chosen in (["income", "age"], [2, 0], slice("age", "age"), [True, False, True, False, False]):
        parts = make_column_transformer((MinMaxScaler(), chosen), remainder="drop")
        expect_same(make_pipeline(parts, SVC()).fit(rows[:40], labels[:40]), rows[40:])
    numbers = rows[["age", "income", "rooms"]]
    rest = make_column_transformer((MinMaxScaler(), ["income"]), remainder="passthrough")
    model = expect_same(make_pipeline(rest, StandardScaler(), SVC()).fit(numbers[:40], labels[:40]), numbers[40:])
    numbers.to_csv(tmp_path / "people.csv", index=False)
    np.testing.assert_array_equal(model.decision(model.read(tmp_path / "people.csv")), model.decision(numbers))
    best = make_pipeline(StandardScaler(), SelectKBest(k=2), SVC())
    expect_same(best.fit(numbers[:40], labels[:40]), numbers[40:])
    # without names all columns have to be there, in whatever order a part takes them
    turned = ColumnTransformer([("last", StandardScaler(), [3, 2]), ("first", RobustScaler(), [0, 1])])
    expect_same(make_pipeline(turned, SVC()).fit(X[y < 2], y[y < 2]), X)
    with pytest.raises(ValueError, match="DataFrame"):
        libdk.import_sklearn(make_pipeline(SelectKBest(k=2), SVC()).fit(X, y))
    twice = ColumnTransformer([("one", StandardScaler(), [0, 1, 2, 3]), ("two", MinMaxScaler(), [3])])
    with pytest.raises(ValueError, match="twice"):
        libdk.import_sklearn(make_pipeline(twice, SVC()).fit(X, y))


def test_encoders_that_have_no_place_in_a_model():
    rows, labels = people(), np.arange(60) % 2
    for step, told in ((OrdinalEncoder(), "OrdinalEncoder"), (OneHotEncoder(min_frequency=30), "rare")):
        parts = make_column_transformer((step, ["colour"]), remainder="drop")
        with pytest.raises(ValueError, match=told):
            libdk.import_sklearn(make_pipeline(parts, SVC()).fit(rows, labels))
    for strange in ("NA", " red", ""):
        odd = rows.assign(colour=rows["colour"].replace("red", strange))
        with pytest.raises(ValueError, match="category"):
            libdk.import_sklearn(make_pipeline(make_column_transformer((OneHotEncoder(), ["colour"])), SVC()).fit(odd, labels))
    with pytest.raises(ValueError, match="DataFrame"):
        libdk.import_sklearn(make_pipeline(OneHotEncoder(), SVC()).fit(rows[["colour"]].to_numpy(), labels))


@pytest.mark.parametrize("machine", [SVC(), LinearSVC(dual=False)])
def test_imputers(machine):
    holes = X[y < 2].copy()
    holes[::7, 1], holes[3, 2] = np.nan, np.nan
    labels = y[y < 2]
    for steps in ([SimpleImputer(strategy="median"), StandardScaler()], [MinMaxScaler(), SimpleImputer()]):
        expect_same(make_pipeline(*steps, machine).fit(holes, labels), holes)
    rows = people()
    rows.loc[::5, "colour"], rows.loc[2, "age"] = None, np.nan
    parts = make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="most_frequent", missing_values=None), OneHotEncoder()), ["colour"]),
        (make_pipeline(SimpleImputer(), StandardScaler()), ["age", "income"]))
    pipeline = make_pipeline(parts, machine).fit(rows[:40], np.arange(40) % 2)
    expect_same(pipeline, rows[40:])
    some = make_column_transformer((SimpleImputer(), ["age"]), ("passthrough", ["income"]))
    with pytest.raises(ValueError, match="all of them or none"):
        libdk.import_sklearn(make_pipeline(some, SVC()).fit(rows, np.arange(60) % 2))


def test_large_labels_of_scikit_learn():
    labels = np.array([9, 3_000_000_000, 9007199254740993])[y]
    pipeline = make_pipeline(StandardScaler(), LinearSVC(dual=False)).fit(X, labels)
    model = libdk.import_sklearn(pipeline)
    np.testing.assert_allclose(model.decision(X), pipeline.decision_function(X), rtol=0, atol=1e-9)
    assert model.predict(X).tolist() == pipeline.predict(X).tolist()
    wide = SVC().fit(X[y < 2], labels[y < 2])
    assert libdk.import_sklearn(wide).predict(X).tolist() == wide.predict(X).tolist()
