# SPDX-License-Identifier: Apache-2.0
"""Kernel machines with deep kernels, multiple kernels and prototypes.

    import libdk

    data = libdk.Data.read("sonar.csv")
    model = libdk.train(data, "svm", C=10, kernel=["rbf(gamma=0.05)", "arccos(1)"], weights="mklgl")
    model.predict(data), model.weights(), model.prototypes(), model.explain(data)
    print(model.explain_row(data, 0, training=data))
    model.report("sonar.html", data, training=data)

`DkClassifier`, `DkRegressor`, `DkOutlier`, `DkCluster` and `DkTransformer` are estimators of scikit-learn, which is asked for when
one of them is. `describe()` lists machines, kernels, weights and parameters.
"""

from typing import TYPE_CHECKING, Any

from . import _native
from ._arrow import ArrowTable
from ._calls import describe
from ._data import Data
from ._errors import (
    CancelledError,
    Error,
    FileError,
    InvalidValueError,
    OutOfMemoryError,
    Status,
    UnsupportedError,
)
from ._answers import Drift, Explanation, ModelWarning, Prototype, PrototypeMeasures, RowAnswers, Weights
from ._comparison import (
    ResampledTest,
    critical_difference,
    jaccard_stability,
    mean_ranks,
    resampled_test,
    selection_stability,
)
from ._explanations import (
    Change,
    Counterfactual,
    Influence,
    Influences,
    NearestOther,
    Others,
    Pull,
    Pulls,
    RowExplanation,
    Share,
)
from ._gram import gram, gram_product, verification_curve
from ._model import (
    Model,
    compare,
    compare_weights,
    cross_validate,
    import_model,
    load,
    task_of,
    train,
)

from ._sklearn import import_sklearn

if TYPE_CHECKING:  # what reads types doesn't run __getattr__
    from .estimators import DkClassifier, DkCluster, DkOutlier, DkRegressor, DkTransformer

__version__ = _native.version()

_ESTIMATORS = ("DkClassifier", "DkCluster", "DkOutlier", "DkRegressor", "DkTransformer")

__all__ = [
    "ArrowTable", "CancelledError", "Change", "Counterfactual", "Data", "DkClassifier", "DkCluster", "DkOutlier",
    "DkRegressor", "DkTransformer", "Drift", "Error", "Explanation", "FileError", "Influence", "Influences",
    "InvalidValueError", "Model", "ModelWarning", "NearestOther", "Others", "OutOfMemoryError", "Prototype",
    "PrototypeMeasures", "Pull", "Pulls",
    "ResampledTest", "RowAnswers", "RowExplanation", "Share", "Status", "UnsupportedError", "Weights", "build_info", "compare",
    "compare_weights", "critical_difference", "cross_validate", "describe", "gram", "gram_product", "import_model",
    "import_sklearn", "jaccard_stability", "load", "mean_ranks", "resampled_test", "selection_stability", "task_of",
    "train", "verification_curve", "version",
]


def version() -> str:
    """The version of the native library."""
    return _native.version()


def build_info() -> str:
    """A line about the native library: version, compiler and vector instructions in use."""
    return _native.build_info()


def __getattr__(name: str) -> Any:
    if name in _ESTIMATORS:
        from . import estimators

        return getattr(estimators, name)
    raise AttributeError(f"module 'libdk' has no attribute '{name}'")
