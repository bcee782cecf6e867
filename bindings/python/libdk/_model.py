# SPDX-License-Identifier: Apache-2.0
"""Models: train, predict, weights, prototypes, explain, report."""

from __future__ import annotations

import functools
import json
import os
from typing import Any, Iterable, List, Optional

import numpy as np

from . import _native, _plots
from ._arrow import ArrowTable, is_table, read_table
from ._answers import Drift, Explanation, ModelWarning, Prototype, PrototypeMeasures, RowAnswers, Weights
from ._arrays import doubles, integers
from ._calls import Listener, control_of, parameters_of
from ._data import Data, as_data
from ._errors import Status, UnsupportedError
from ._explanations import RowExplanation, explanation_of
from ._frames import has_columns_of_features, has_texts, is_frame, read_frame_like
from ._html import page_of

_TASKS = ("classification", "regression", "novelty", "any", "clustering", "multilabel")


class Model:
    """What a machine learned. Immutable: any number of threads may use it at once; it pickles as its file.

    Every method that computes takes ``n_jobs`` (None and -1 are all processors), ``memory`` in MB (0 is half of the
    machine's) and ``progress``, a function of a fraction and a stage, whose False ends the call. Ctrl-C ends it, too.
    """

    _native: Any

    def __init__(self) -> None:
        raise TypeError("models come of libdk.train, libdk.load and their kin")

    @classmethod
    def _of(cls, native: Any) -> "Model":
        model = cls.__new__(cls)
        model._native = native
        return model

    @classmethod
    def from_bytes(cls, content: bytes, *, n_jobs: Optional[int] = None, memory: int = 0,
                   progress: Optional[Listener] = None) -> "Model":
        """Reads what ``to_bytes`` gave, in any language."""
        return cls._of(_native.NativeModel.read(content, control_of(n_jobs, memory, progress)))

    def to_bytes(self) -> bytes:
        """The content of a model file, the same in every language and on every machine."""
        out = bytearray(self._native.file_size())
        self._native.write(out)
        return bytes(out)

    def __reduce__(self):
        return Model.from_bytes, (self.to_bytes(),)

    def save(self, path: Any) -> None:
        """Writes the model; a crash leaves the old file."""
        self._native.save(os.fspath(path))

    def export(self, path: Any, format: str) -> None:
        """Writes the model for other programs: ``libsvm`` is a model file of LIBSVM, ``onnx`` a graph of ONNX, and
        ``c`` C99 without allocation."""
        self._native.export_to(os.fspath(path), format)

    def read(self, path: Any, options: str = "", *, n_jobs: Optional[int] = None, memory: int = 0,
             progress: Optional[Listener] = None, **known: Any) -> Data:
        """A file, a frame or a table of Arrow with the features of the training data, found by their names. A category that
        training did not have sets none of its column's indicators. What is known of each row is set as by ``Data.set``."""
        control = control_of(n_jobs, memory, progress)
        if is_frame(path):
            return Data._of(read_frame_like(self._native, path, options, control), **known)
        if is_table(path):
            return Data._of(read_table(path, options, control, self._native), **known)
        return Data._of(self._native.read_rows(os.fspath(path), options, control), **known)

    def _rows(self, x: Any) -> Data:
        """Rows as the model takes them; those of frames are read as the ones that it was trained on."""
        if has_texts(x) or (is_frame(x) and has_columns_of_features(x, self._feature_names)):
            return Data._of(read_frame_like(self._native, x))
        if is_table(x) and self._feature_names:
            return Data._of(read_table(x, "", control_of(), self._native))
        return as_data(x, missing=self.fills_missing)

    @functools.cached_property
    def _feature_names(self) -> List[str]:
        return self.info().get("feature_names", [])

    def _computed(self, method: str, cols: int, x: Any, calls: dict) -> np.ndarray:
        data = self._rows(x)
        out = np.empty((len(data), cols))
        getattr(self._native, method)(out, data._native, control_of(**calls))
        return out

    @property
    def task(self) -> str:
        """What the model learned: classification, regression, novelty, clustering or multilabel."""
        return _TASKS[self._native.task_number()]

    @property
    def fills_missing(self) -> bool:
        """Whether the model fills values that rows miss (parameter ``impute``)."""
        return self._native.fills_missing()

    def predict(self, x: Any, **calls: Any) -> np.ndarray:
        """One prediction a row: a label, the position of a named class in ``class_names``, or a value; of several targets
        rows x targets, and of several labels a row rows x labels, 1 for those that are predicted. Labels beyond 2^53, which no float tells apart, come as integers."""
        predicted = self._computed("predict", self.target_count, x, calls)
        if self.target_count > 1 or self.task == "multilabel":
            return predicted
        predicted = predicted[:, 0]
        labels = self._large_labels
        return predicted if labels is None else labels[predicted.astype(np.int64)]

    def predict_rows(self, x: Any, **calls: Any) -> RowAnswers:
        """Predictions, decisions and probabilities of rows of numbers, by one pass over the kernel and without a dataset: the
        short way for a service. Values may be NaN where the model fills them."""
        rows = doubles(x)
        if rows.ndim != 2:
            raise ValueError(f"x must have rows and columns, its shape is {rows.shape}")
        out = [np.empty((len(rows), width)) for width in (self.target_count, self.decision_count)]
        out.append(np.empty((len(rows), self.class_count if self.has_probabilities else 0)))
        self._native.predict_rows(*(one.ravel() for one in out), rows.ravel(), rows.shape[1], control_of(**calls))
        predictions = out[0] if self.target_count > 1 or self.task == "multilabel" else out[0][:, 0]
        return RowAnswers(predictions, out[1], out[2] if self.has_probabilities else None)

    @property
    def has_probabilities(self) -> bool:
        """Whether the model has probabilities, which it was trained with by ``probability=True``."""
        return self._native.has_probabilities()

    def predict_label_sets(self, x: Any, **calls: Any) -> List[List[str]]:
        """The names of the labels that each row is predicted to have, of a model of rows with several labels."""
        if self.task != "multilabel":
            raise UnsupportedError(Status.UNSUPPORTED, "the model predicts one class or value a row")
        names = self.class_names
        return [[names[label] for label in np.flatnonzero(row)] for row in self.predict(x, **calls)]

    def predict_arrow(self, x: Any, what: str = "prediction", **calls: Any) -> ArrowTable:
        """Predictions as a table of Arrow, which polars, pyarrow and others take; ``what`` lists, with commas between them,
        prediction, decision, probability and explanation (dk_predict_arrow in dk.h)."""
        data, control = self._rows(x), control_of(**calls)
        return ArrowTable(lambda schema, array: self._native.results_to_arrow(schema, array, data._native, what, control))

    def decision(self, x: Any, **calls: Any) -> np.ndarray:
        """Rows x decision functions; two classes have one, positive for the second class."""
        return self._computed("decision", self.decision_count, x, calls)

    def probability(self, x: Any, **calls: Any) -> np.ndarray:
        """Rows x classes, of a model trained with ``probability=True``."""
        return self._computed("probability", self.class_count, x, calls)

    def predict_set(self, x: Any, confidence: float = 0, **calls: Any) -> np.ndarray:
        """The answers that hold the truth with this probability, above 0 and below 1, or 0 for that of the training: of a
        regression an interval, rows x 2 (lower, upper); of a classifier rows x classes, whether each class is in the set.
        The model was trained with ``confidence=0.9`` or is of :meth:`calibrate`."""
        data = self._rows(x)
        out = np.empty((len(data), self._native.prediction_set_width()))
        self._native.predict_set(out, data._native, confidence, control_of(**calls))
        return out == 1 if self.class_count > 0 else out

    def novelty(self, x: Any, **calls: Any) -> np.ndarray:
        """How new each row is, rows x 2: its distance in feature space from the nearest of some training rows, and how
        likely a row that comes as these did lies at least as far (Laxhammar, Falkman 2010), so that a service may refuse
        to predict. The model was trained with ``novelty=True``."""
        return self._computed("novelty", 2, x, calls)

    def deviation(self, x: Any, **calls: Any) -> np.ndarray:
        """How uncertain the value of each row is: the posterior standard deviation of kernel ridge regression as a Gaussian
        process whose covariance is the kernel and whose noise has the variance 1 / C (Rasmussen, Williams 2006). The first
        call takes as long as training."""
        return self._computed("deviation", 1, x, calls)[:, 0]

    def transform(self, x: Any, **calls: Any) -> np.ndarray:
        """What the model sees of each row, rows x features: the codes of ``imkpl`` and ``iskpl``, the similarities of
        super-sparse models with their prototypes, the features of ``elm`` and of a kernel ``lowrank``. Other models
        have none, which is an error."""
        return self._computed("transform", self.transform_count, x, calls)

    def reconstruct(self, x: Any, **calls: Any) -> np.ndarray:
        """Each row as the components of a ``kernel_pca`` model keep it, which takes noise from it: the point whose
        image is nearest to the projection of the row's image on their span (Mika et al. 1998)."""
        return self._computed("reconstruct", self.feature_count, x, calls)

    def explain(self, x: Any, **calls: Any) -> Explanation:
        """What each prototype says of each row (Graf et al. 2008)."""
        return Explanation(self._computed("explain", self.prototype_count, x, calls), self.offsets)

    def explain_row(self, x: Any, row: int, training: Any = None, **calls: Any) -> RowExplanation:
        """Why one row of ``x`` got its prediction and not the next best one: the shares of prototypes, training rows
        and kernels, the change that would turn it (Moosavi-Dezfooli et al. 2016), and what each training row did for
        it (Cook 1979, Cauwenberghs and Poggio 2000). With ``training``, the rows that the model was trained with, rows
        have their classes, and the nearest row of another class is known. Prints as a table."""
        data, control = self._rows(x), control_of(**calls)
        if training is None:
            return explanation_of(json.loads(self._native.explain_row(data._native, row, control)))
        rows = self._rows(training)
        return explanation_of(json.loads(self._native.explain_row_with(data._native, row, rows._native, control)))

    def report(self, path: Any, x: Any, training: Any = None, *, image: Any = None, rows: Optional[int] = None,
               title: Optional[str] = None, manager: bool = False, n_jobs: Optional[int] = None, memory: int = 0,
               progress: Optional[Listener] = None) -> None:
        """Writes a page of HTML about the model and its predictions for ``x``, which any browser opens without a
        network: charts of its quality where ``x`` is labelled Data, kernels, prototypes, a map of the rows, its
        training, and the rows that are most wrong with their explanations. ``training`` are the rows that the model
        was trained with. ``image=(32, 32)``: rows are pictures of this width and height; so many ``rows`` that are
        wrong are shown (20); ``title`` is the heading. With ``manager`` the page is for who decides what to do with
        predictions: how good they are on unseen rows, which columns matter, what would turn some of them."""
        data, control = self._rows(x), control_of(n_jobs, memory, progress)
        options = _page_options(image, rows, title, manager)
        if training is None:
            self._native.report(os.fspath(path), data._native, options, control)
        else:
            known = self._rows(training)
            self._native.report_with(os.fspath(path), data._native, known._native, options, control)

    def score(self, x: Any, metric: str, *, n_jobs: Optional[int] = None, memory: int = 0,
              progress: Optional[Listener] = None) -> float:
        """A measure of the predictions for labelled Data: accuracy, auc, rmse, ..."""
        return self._native.score(as_data(x)._native, metric, control_of(n_jobs, memory, progress))

    def confusion(self, x: Any, **calls: Any) -> np.ndarray:
        """Counts of labelled Data, classes x classes, rows the truth."""
        out = np.empty((self.class_count, self.class_count), np.int64)
        self._native.confusion(out, as_data(x)._native, control_of(**calls))
        return out

    def prototype_measures(self, x: Any, **calls: Any) -> PrototypeMeasures:
        """Purity and compactness of each prototype (Hosseini and Hammer, CIKM 2019), by the labelled Data of which the
        model was trained."""
        count = self._native.prototype_count()
        measures = PrototypeMeasures(np.empty(count), np.empty(count))
        self._native.prototype_measures(measures.purity, measures.compactness, as_data(x)._native, control_of(**calls))
        return measures

    def calibrate(self, x: Any, by_class: bool = False, **calls: Any) -> "Model":
        """The same model with sets of answers (:meth:`predict_set`) that are calibrated on labelled Data of which training
        must have seen none, for all rows or for those of each class (Vovk, Gammerman, Shafer 2005)."""
        return Model._of(self._native.calibrate(as_data(x)._native, by_class, control_of(**calls)))

    def move_threshold(self, x: Any, *, false_alarms: float = 0, sure: float = 0.95, miss_cost: float = 0,
                       n_jobs: Optional[int] = None, memory: int = 0, progress: Optional[Listener] = None) -> "Model":
        """The same model with another threshold between its two classes, chosen on labelled Data of which training must
        have seen none: at most the share ``false_alarms`` of new rows of the first class are taken for the second, which
        is ``sure`` over the rows it is learned of (Tong, Feng, Li 2018); or errors cost least where a row of the second
        class that is missed costs ``miss_cost`` times the opposite. Probabilities stay."""
        goal = f"false_alarms={float(false_alarms)!r} sure={float(sure)!r} miss_cost={float(miss_cost)!r}"
        control = control_of(n_jobs, memory, progress)
        return Model._of(self._native.move_threshold(as_data(x)._native, goal, control))

    def update(self, x: Any = None, forget: Any = (), **calls: Any) -> "Model":
        """The model of the rows that this one keeps and of further labelled Data, without the rows of these numbers;
        further rows have the next numbers. Scaling and kernel stay as they are. A machine that keeps all rows (``kelm``,
        ``kernel_ridge``) becomes what training on all of them would make, an ``svm`` learns from its support vectors and
        the further rows (dk_model_update in dk.h). This model, trained with ``updatable=True``, stays as it is."""
        gone, control = integers(np.atleast_1d(np.asarray(forget, np.int64))), control_of(**calls)
        if x is None:
            return Model._of(self._native.forget(gone, control))
        return Model._of(self._native.update(as_data(x)._native, gone, control))

    def drift(self, x: Any, reference: Any = None, *, seed: int = 1, n_jobs: Optional[int] = None, memory: int = 0,
              progress: Optional[Listener] = None) -> Drift:
        """Whether rows come as known ones did, by a kernel two-sample test (Gretton et al. 2012): against ``reference``,
        such as the training rows, or without it against the training rows that the model keeps, if it keeps all."""
        data, control, out = self._rows(x), control_of(n_jobs, memory, progress), np.empty(3)
        if reference is None:
            self._native.drift(out, data._native, seed, control)
        else:
            self._native.drift_with(out, data._native, self._rows(reference)._native, seed, control)
        return Drift(*out.tolist())

    def compress(self, x: Any, *, n_jobs: Optional[int] = None, memory: int = 0, progress: Optional[Listener] = None,
                 **parameters: Any) -> "Model":
        """A model of few prototypes that are free vectors, which decides as this one does on these rows and near them
        (Demontis et al. 2016); parameters of machine ``super_sparse``, such as ``prototypes``."""
        native = parameters_of("super_sparse", parameters)
        data = self._rows(x)
        return Model._of(self._native.compress(data._native, native, control_of(n_jobs, memory, progress)))

    def warnings(self) -> List[ModelWarning]:
        """What whoever uses the model should know: what looked wrong with the training rows, how columns were scaled,
        whether training converged, and what its scores are worth. ``str()`` of the model has them too."""
        return [ModelWarning(one["about"], one["text"]) for one in json.loads(self._native.warnings())["warnings"]]

    def info(self) -> dict:
        """Machine, kernel, parameters, counts, weights, scores and the report of training."""
        return json.loads(self._native.info())

    def weights(self) -> Weights:
        """The kernels of the bank with their weights."""
        out = np.empty(self.kernel_count)
        self._native.kernel_weights(out)
        weights = Weights()
        for position, weight in enumerate(out):
            kernel = self._native.kernel_name(position)
            weights[kernel] = weights.get(kernel, 0.0) + float(weight)
        return weights

    def prototypes(self) -> List[Prototype]:
        """The prototypes: p+ and p- of each decision function in turn, or those that the model learned."""
        count, rows, neighbours = self.prototype_count, self.training_rows, self._native.prototype_neighbours()
        classes = np.empty(count, np.int64)
        self._native.prototype_classes(classes)
        coefficients = np.empty((count, rows))
        self._native.prototype_coefficients(coefficients)
        nearest, distances = np.empty((count, neighbours), np.int64), np.empty((count, neighbours))
        self._native.prototype_nearest(nearest, distances)
        pairs, names = self._native.prototypes_are_pairs(), self.class_names
        return [
            Prototype(p // 2 if pairs else None, not pairs or p % 2 == 0,
                      names[classes[p]] if 0 <= classes[p] < len(names) else None,
                      coefficients[p], nearest[p], distances[p])
            for p in range(count)
        ]

    def plot_weights(self, ax: Any = None) -> Any:
        """Draws the weight of each kernel as a bar. Gives the
        axes of matplotlib, which are made where none are given."""
        return _plots.weights(self, ax)

    def plot_prototypes(self, ax: Any = None) -> Any:
        """Draws for each prototype the share that its heaviest training rows make up together: a line that soon reaches 1 is
        of a prototype of few rows. Prototypes that are points of their own are lines through their values of the features.
        Gives the axes of matplotlib, which are made where none are given."""
        return _plots.prototypes(self, ax)

    def plot_tuning(self, metric: Optional[str] = None, ax: Any = None) -> Any:
        """Draws the mean of a metric over the folds of a cross-validation, and its deviation, along the candidates: along the
        number with the most values, with a line for each combination of the others. A star is on the best. Gives the axes
        of matplotlib, which are made where none are given."""
        return _plots.tuning(self, metric, ax)

    def _repr_html_(self) -> str:
        """What notebooks show of the model."""
        return page_of(self)

    def prototype_coordinates(self) -> np.ndarray:
        """The prototypes as points among the features, for linear kernels, in the units of the training data."""
        out = np.empty((self.prototype_count, self.feature_count))
        self._native.prototype_coordinates(out)
        return out

    def _of_functions(self) -> tuple:
        shifts, offsets = np.empty(self.decision_count), np.empty(self.decision_count)
        self._native.prototype_offsets(shifts, offsets)
        return shifts, offsets

    @property
    def shifts(self) -> np.ndarray:
        """The shift S of each decision function."""
        return self._of_functions()[0]

    @property
    def offsets(self) -> np.ndarray:
        """What completes ``explain``: S / (2 t) of each decision function."""
        return self._of_functions()[1]

    @property
    def dual_coefficients(self) -> np.ndarray:
        """The decision functions as sums over training rows, functions x training rows: the coefficient of each row in each
        function, with the kernel on rows as the model scales them. Machines whose decisions are no such sums have none."""
        out = np.empty((self.decision_count, self.training_rows))
        self._native.dual_coefficients(out)
        return out

    @property
    def dual_offsets(self) -> np.ndarray:
        """What completes the sums of ``dual_coefficients``, for each function."""
        out = np.empty(self.decision_count)
        self._native.dual_offsets(out)
        return out

    @property
    def normals(self) -> np.ndarray:
        """The length |w| of each decision function's normal in feature space."""
        out = np.empty(self.decision_count)
        self._native.normals(out)
        return out

    @property
    def classes(self) -> np.ndarray:
        """The labels of the classes, ascending; positions where classes have names; none of a regression."""
        return self._known_labels if self._large_labels is None else self._large_labels.copy()

    @property
    def _known_labels(self) -> np.ndarray:
        """What the library knows classes by: their labels, or positions where they have names."""
        out = np.empty(self.class_count, np.int64)
        self._native.classes(out)
        return out

    def _class_positions(self, x: Any, **calls: Any) -> np.ndarray:
        """The position of each row's class among the classes."""
        predicted = self._computed("predict", 1, x, calls)[:, 0]
        return np.searchsorted(self._known_labels, predicted.astype(np.int64))

    @functools.cached_property
    def _large_labels(self) -> Optional[np.ndarray]:
        """The labels of classes that the library names by their digits, because one is beyond 2^53; None for others."""
        names = self.class_names
        try:
            labels = [int(name) for name in names]
        except ValueError:
            return None
        digits = [str(label) for label in labels] == names and all(-(2**63) <= label < 2**63 for label in labels)
        return np.array(labels, np.int64) if digits and any(abs(label) > 2**53 for label in labels) else None

    @property
    def class_names(self) -> list:
        """The classes as texts, in the order of their labels."""
        return [self._native.class_name(position) for position in range(self.class_count)]

    @property
    def class_count(self) -> int:
        """0 for a regression."""
        return self._native.class_count()

    @property
    def feature_count(self) -> int:
        """Columns of the rows to predict."""
        return self._native.feature_count()

    @property
    def decision_count(self) -> int:
        """Decision functions."""
        return self._native.decision_count()

    @property
    def target_count(self) -> int:
        """Numbers that are predicted for a row: the targets of a regression, the labels of which it may have several, else 1."""
        return self._native.target_count()

    @property
    def kernel_count(self) -> int:
        """Kernels of the bank."""
        return self._native.kernel_count()

    @property
    def prototype_count(self) -> int:
        """Prototypes."""
        return self._native.prototype_count()

    @property
    def training_rows(self) -> int:
        """Rows that the model was trained with."""
        return self._native.training_rows()

    @property
    def transform_count(self) -> int:
        """Columns of ``transform``; 0 for models that have no features."""
        return self._native.transform_count()

    def __repr__(self) -> str:
        info = self.info()
        return (f"<libdk.Model: {info['machine']}, kernel {info['kernel']}, {self.training_rows} training rows, "
                f"{self.prototype_count} prototypes>")

    def __str__(self) -> str:
        return "\n".join([repr(self), *(f"  warning: {one}" for one in self.warnings())])


def _learned(method: str, data: Any, machine: str, n_jobs, memory, progress, parameters: dict) -> Model:
    native = parameters_of(machine, parameters)
    fills = parameters.get("impute", "median" if machine == "auto" else "none") != "none"
    data = as_data(data, missing=fills)
    return Model._of(getattr(_native.NativeModel, method)(data._native, native, control_of(n_jobs, memory, progress)))


def train(data: Any, machine: str = "auto", *, n_jobs: Optional[int] = None, memory: int = 0,
          progress: Optional[Listener] = None, **parameters: Any) -> Model:
    """Trains a machine, such as ``train(Data(x, labels=y), "svm", C=10, kernel="rbf")``; ``describe()`` has all
    machines and their parameters. Where none is named, auto chooses the machine, the scale of columns, the kernel and C
    by cross-validation, but for what is given."""
    return _learned("train", data, machine, n_jobs, memory, progress, parameters)


def cross_validate(data: Any, machine: str = "svm", *, n_jobs: Optional[int] = None, memory: int = 0,
                   progress: Optional[Listener] = None, **parameters: Any) -> Model:
    """Cross-validates, over ``grid={"C": [1, 10]}`` where there is one, and trains the best on all rows; the scores
    are in ``info()["cross_validation"]``."""
    return _learned("cross_validate", data, machine, n_jobs, memory, progress, parameters)


def compare_weights(data: Any, machine: str = "svm", *, n_jobs: Optional[int] = None, memory: int = 0,
                    progress: Optional[Listener] = None, **parameters: Any) -> Model:
    """Compares all ways to weigh the kernels of a bank, and every kernel alone, and trains the best on all rows; the
    scores are in ``info()["cross_validation"]``."""
    return _learned("compare_weights", data, machine, n_jobs, memory, progress, parameters)


def _page_options(image: Any, rows: Optional[int], title: Optional[str], manager: bool = False) -> str:
    size = image if isinstance(image, str) or image is None else "x".join(str(side) for side in image)
    said = {"image": size, "rows": rows, "for": "manager" if manager else None, "title": title}  # the title is the rest
    return " ".join(f"{key}={value}" for key, value in said.items() if value is not None)


def compare(path: Any, models: Iterable[Model], x: Any, *, image: Any = None, rows: Optional[int] = None,
            title: Optional[str] = None, n_jobs: Optional[int] = None, memory: int = 0,
            progress: Optional[Listener] = None) -> None:
    """Writes a page of HTML that compares 2 to 100 models of one task on the rows of labelled Data, with intervals
    (Wilson 1927) and McNemar's exact test. The other arguments are those of ``Model.report``."""
    compared = _native.ModelList()
    models = list(models)
    for model in models:
        compared.add(model._native)
    filling = [model for model in models if model.fills_missing]
    data = (filling or models)[0]._rows(x) if models else as_data(x)
    compared.compare(os.fspath(path), data._native, _page_options(image, rows, title),
                     control_of(n_jobs, memory, progress))


def task_of(machine: str) -> str:
    """What a machine learns: classification, regression, novelty or clustering, and with auto any of the first three."""
    return _TASKS[parameters_of(machine, {}).task_number()]


def load(path: Any, *, n_jobs: Optional[int] = None, memory: int = 0, progress: Optional[Listener] = None) -> Model:
    """Reads a model file of any language."""
    return Model._of(_native.NativeModel.load(os.fspath(path), control_of(n_jobs, memory, progress)))


def import_model(path: Any, format: str = "auto", *, n_jobs: Optional[int] = None, memory: int = 0,
                 progress: Optional[Listener] = None) -> Model:
    """Reads a model file of LIBSVM, liblinear or ThunderSVM, with the same decision values. ``format`` is auto, libsvm,
    liblinear or thundersvm, after which may follow ``features=N`` and ``data=dense`` or ``data=sparse``. Classes
    ascend."""
    control = control_of(n_jobs, memory, progress)
    return Model._of(_native.NativeModel.import_from(os.fspath(path), format, control))
