# SPDX-License-Identifier: Apache-2.0
"""docs/COMING_FROM.md: the calls of scikit-learn and those of libdk beside them say the same of new rows."""

import pathlib
import re

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import (
    chi2_kernel,
    cosine_similarity,
    laplacian_kernel,
    polynomial_kernel,
    rbf_kernel,
    sigmoid_kernel,
)
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

import libdk
from libdk import gram, train

DOCUMENT = pathlib.Path(__file__).parents[3] / "docs" / "COMING_FROM.md"
ROW = re.compile(r"^\| `(.+?)` \| `(.+?)` \|", re.MULTILINE)
SECTION = DOCUMENT.read_text().split("## scikit-learn")[1].split("\n## ")[0]
PAIRS = ROW.findall(SECTION)

X, labels = load_iris(return_X_y=True)
ORDER = np.random.default_rng(3).permutation(len(X))
x, z = X[ORDER[:100]], X[ORDER[100:]]
y = labels[ORDER[:100]]
t = load_diabetes(return_X_y=True)[1][:100] / 50 + x[:, 0]
classes, values, rows = libdk.Data(x, labels=y), libdk.Data(x, targets=t), libdk.Data(x)


def test_the_table_is_there():
    assert len(PAIRS) >= 19


@pytest.mark.parametrize("theirs, ours", PAIRS)
def test_says_the_same(theirs, ours):
    call, name = eval(theirs), theirs.split("(")[0]
    found = eval(ours)
    if isinstance(call, np.ndarray):
        np.testing.assert_allclose(found, call, rtol=0, atol=1e-12 * np.abs(call).max())
        return
    regression = "values" in ours
    call.fit(x, t if regression else y)
    if name in ("NearestCentroid", "KNeighborsClassifier"):
        assert (found.predict(z) == call.predict(z)).mean() >= 0.98  # ties
        return
    if name == "KernelPCA":
        own, other = np.abs(found.transform(z)), np.abs(call.transform(z))
    elif regression:
        own, other = found.predict(z), call.predict(z)
    else:
        own, other = found.decision(z), call.decision_function(z)
    # both stop at a tolerance of 0.001
    np.testing.assert_allclose(own.reshape(other.shape), other, rtol=0, atol=0.01 * np.abs(other).max())
