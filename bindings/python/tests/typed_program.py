# SPDX-License-Identifier: Apache-2.0
"""A program that says which types the package gives it; a checker of types reads it, and nobody runs it."""

from typing import Any, List, Optional

import libdk
import numpy as np


def learn(x: "np.ndarray[Any, Any]") -> libdk.Model:
    data = libdk.Data(x, labels=["a", "b", "a"])
    model = libdk.train(data, "svm", C=1)
    weights: libdk.Weights = model.weights()
    prototypes: List[libdk.Prototype] = model.prototypes()
    explanation: libdk.Explanation = model.explain(data)
    row: libdk.RowExplanation = model.explain_row(data, 0, training=data)
    strongest: libdk.Pull = row.prototypes.pulls[0]
    turned: Optional[libdk.Counterfactual] = row.counterfactual
    model.report("model.html", data, image=(2, 2), title="A model")
    libdk.compare("models.html", [model, model], data, rows=3)
    accuracy: float = model.score(data, "accuracy")
    print(weights, len(prototypes), strongest.share, turned, explanation.offsets, accuracy)
    return model


def estimate() -> List[Any]:  # scikit-learn tells no types of its own, so that methods of its estimators have none
    made: List[Any] = [libdk.DkClassifier("svm", C=1, n_jobs=2), libdk.DkRegressor("svr", memory=100),
                       libdk.DkTransformer("kernel_pca"), libdk.DkOutlier("one_class_svm")]
    return made
