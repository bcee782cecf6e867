# SPDX-License-Identifier: Apache-2.0
"""A program that says which types the package gives it; a checker of types reads it, and nobody runs it."""

from typing import Any, List, assert_type

import libdk
import numpy as np


def learn(x: "np.ndarray[Any, Any]") -> libdk.Model:
    data = libdk.Data(x, labels=["a", "b", "a"])
    model = libdk.train(data, "svm", C=1)
    assert_type(model, libdk.Model)
    assert_type(model.weights(), libdk.Weights)
    assert_type(model.prototypes(), List[libdk.Prototype])
    assert_type(model.explain(data), libdk.Explanation)
    assert_type(model.score(data, "accuracy"), float)
    return model


def estimate() -> List[Any]:  # scikit-learn tells no types of its own, so that methods of its estimators have none
    made: List[Any] = [libdk.DkClassifier("svm", C=1, n_jobs=2), libdk.DkRegressor("svr", memory=100),
                       libdk.DkTransformer("kernel_pca"), libdk.DkOutlier("one_class_svm")]
    return made
