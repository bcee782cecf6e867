# SPDX-License-Identifier: Apache-2.0
"""A program that says which types the package gives it; a checker of types reads it, and nobody runs it."""

from typing import Any, List

import libdk
import numpy as np


def learn(x: "np.ndarray[Any, Any]") -> libdk.Model:
    data = libdk.Data(x, labels=["a", "b", "a"])
    model = libdk.train(data, "svm", C=1)
    weights: libdk.Weights = model.weights()
    prototypes: List[libdk.Prototype] = model.prototypes()
    explanation: libdk.Explanation = model.explain(data)
    accuracy: float = model.score(data, "accuracy")
    print(weights, len(prototypes), explanation.offsets, accuracy)
    return model


def estimate() -> List[Any]:  # scikit-learn tells no types of its own, so that methods of its estimators have none
    made: List[Any] = [libdk.DkClassifier("svm", C=1, n_jobs=2), libdk.DkRegressor("svr", memory=100),
                       libdk.DkTransformer("kernel_pca"), libdk.DkOutlier("one_class_svm")]
    return made
