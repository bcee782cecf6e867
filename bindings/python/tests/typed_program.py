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


def estimate(x: "np.ndarray[Any, Any]", y: "np.ndarray[Any, Any]") -> None:
    classifier = libdk.DkClassifier("svm", C=1).fit(x, y)
    assert_type(classifier, libdk.DkClassifier)
    assert_type(libdk.DkRegressor("svr").fit(x, y), libdk.DkRegressor)
    assert_type(libdk.DkTransformer("kernel_pca").fit(x), libdk.DkTransformer)
    assert_type(libdk.DkOutlier("one_class_svm").fit(x), libdk.DkOutlier)
