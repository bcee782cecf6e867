# SPDX-License-Identifier: Apache-2.0
"""What stands around a machine of scikit-learn: searches, pipelines, and the steps that make columns for it.

A step is imported where it only chooses columns, fills or scales them by numbers of their own, or makes indicators of
categories: a model has a number that fills, a shift and a scale of each of its columns, and finds columns by their names."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple
from urllib.parse import quote

import numpy as np

from ._arrays import is_missing

SUPPORTED = ("StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, SimpleImputer, OneHotEncoder, ColumnTransformer, "
             "selections of columns and 'passthrough'")


class Column(NamedTuple):
    """A column that a machine takes: (x - shift) / scale of a column of the user's rows, or of whether that column has a
    category. Where a value is missing, ``fill`` takes its place, a number or a category."""

    source: int
    category: Optional[str] = None
    shift: float = 0.0
    scale: float = 1.0
    fill: Any = None

    def filling(self) -> float:
        """The number that takes the place of a missing value; a category that is missing is none of those that are known."""
        if self.category is not None:
            return float(self.fill == self.category)
        return np.nan if self.fill is None else float(self.fill)


class Inputs(NamedTuple):
    """The columns of a machine, and those of the user's rows."""

    columns: List[Column]
    count: int
    names: Optional[List[str]]

    @property
    def order(self) -> np.ndarray:
        """The machine's columns in the order of the user's."""
        return np.argsort([column.source for column in self.columns], kind="stable")

    def sorted(self) -> List[Column]:
        """The columns in this order."""
        return [self.columns[place] for place in self.order]

    def names_of_columns(self) -> Optional[List[str]]:
        """Names by which a model finds the columns; None where they are known by their positions."""
        if self.names is None:
            return None
        return [self.names[column.source] + ("" if column.category is None else f"={column.category}")
                for column in self.sorted()]

    def scales(self) -> bool:
        """Whether a column is another than the user's."""
        return any(column.shift != 0 or column.scale != 1 for column in self.columns)

    def lines(self, scaling: bool) -> List[str]:
        """Lines of a model file."""
        found, columns, names = [], self.sorted(), self.names_of_columns()
        if scaling and self.scales():
            found.append("column_shift " + " ".join(format(column.shift, ".17g") for column in columns))
            found.append("column_scale " + " ".join(format(column.scale, ".17g") for column in columns))
        if any(column.fill is not None for column in columns):
            found.append("column_fill " + " ".join(format(column.filling(), ".17g") for column in columns))
        if names is not None:
            found.append("column_names " + " ".join(quote(name, safe="") for name in names))
        return found


def taken_apart(estimator: Any) -> Tuple[List[Tuple[str, Any]], Any]:
    """The steps before a machine with their names, and the machine: of pipelines, and of the best that searches found."""
    from sklearn.pipeline import Pipeline
    from sklearn.utils.validation import check_is_fitted

    if hasattr(estimator, "refit") and hasattr(estimator, "estimator") and hasattr(estimator, "cv"):
        kind = type(estimator).__name__
        if not hasattr(estimator, "cv_results_"):
            check_is_fitted(estimator)
        if not hasattr(estimator, "best_estimator_"):
            raise ValueError(f"this {kind} was fitted with refit=False and has no best_estimator_: fit it with refit=True, or "
                             "import an estimator that you fit with its best_params_")
        return taken_apart(estimator.best_estimator_)
    if isinstance(estimator, Pipeline):
        if not estimator.steps or estimator.steps[-1][1] in (None, "passthrough"):
            raise TypeError("the pipeline has no machine as its last step")
        steps, machine = taken_apart(estimator.steps[-1][1])
        return list(estimator.steps[:-1]) + steps, machine
    check_is_fitted(estimator)
    return [], estimator


def inputs_of(steps: List[Tuple[str, Any]], machine: Any) -> Inputs:
    """The columns of the machine behind these steps."""
    first = next((step for _, step in steps if hasattr(step, "n_features_in_")), machine)
    names = getattr(first, "feature_names_in_", None)
    count = int(first.n_features_in_)
    columns = [Column(source) for source in range(count)]
    for name, step in steps:
        columns = _after(name, step, columns)
    inputs = Inputs(columns, count, None if names is None else [str(one) for one in names])
    _require_known(inputs)
    if len(columns) != machine.n_features_in_:
        raise ValueError(f"the steps make {len(columns)} columns, and the machine has {machine.n_features_in_}")
    return inputs


def _require_known(inputs: Inputs) -> None:
    """Refuses columns that a model could not find in the user's rows."""
    sources = [(column.source, column.category) for column in inputs.columns]
    if len(set(sources)) < len(sources):
        raise ValueError("a column is used twice by the steps before the machine, and a model has each of them once")
    if any(column.fill is not None for column in inputs.columns) and any(np.isnan(one.filling()) for one in inputs.columns):
        raise ValueError("a SimpleImputer fills some columns and not others, and a model fills all of them or none")
    whole = sorted({source for source, _ in sources}) == list(range(inputs.count))
    encoded = any(category is not None for _, category in sources)
    if inputs.names is None and (encoded or not whole):
        raise ValueError("the steps before the machine leave out or encode columns, which a model finds by their names: fit "
                         "the pipeline with a DataFrame")


def _after(name: str, step: Any, columns: List[Column]) -> List[Column]:
    """The columns after a step."""
    from sklearn.pipeline import Pipeline
    from sklearn.utils.validation import check_is_fitted

    if step is None or step == "passthrough":
        return columns
    if isinstance(step, Pipeline):
        for inner, one in step.steps:
            columns = _after(f"{name}__{inner}", one, columns)
        return columns
    kind = type(step).__name__
    if kind == "FunctionTransformer" and step.func is None:
        return columns
    if kind not in _STEPS and not hasattr(step, "get_support"):
        raise ValueError(f"step {name!r} is a {kind}, which has no place in a model; known are {SUPPORTED}")
    check_is_fitted(step)
    if kind in _STEPS:
        return _STEPS[kind](name, step, columns)
    return [column for column, kept in zip(columns, step.get_support()) if kept]


def _scaled(columns: List[Column], shift: Any, scale: Any) -> List[Column]:
    """The columns less a shift, divided by a scale."""
    shifts = np.broadcast_to(0.0 if shift is None else shift, len(columns))
    scales = np.broadcast_to(1.0 if scale is None else scale, len(columns))
    return [column._replace(shift=column.shift + float(a) * column.scale, scale=column.scale * float(b))
            for column, a, b in zip(columns, shifts, scales)]


def _standard(name: str, step: Any, columns: List[Column]) -> List[Column]:
    return _scaled(columns, step.mean_ if step.with_mean else None, step.scale_ if step.with_std else None)


def _min_max(name: str, step: Any, columns: List[Column]) -> List[Column]:
    if step.clip:
        raise ValueError(f"step {name!r} is a MinMaxScaler with clip=True, which has no place in a model; clip=False has")
    return _scaled(columns, -step.min_ / step.scale_, 1 / step.scale_)


def _max_abs(name: str, step: Any, columns: List[Column]) -> List[Column]:
    if getattr(step, "clip", False):  # Later versions have it.
        raise ValueError(f"step {name!r} is a MaxAbsScaler with clip=True, which has no place in a model; clip=False has")
    return _scaled(columns, None, step.scale_)


def _robust(name: str, step: Any, columns: List[Column]) -> List[Column]:
    return _scaled(columns, step.center_ if step.with_centering else None, step.scale_ if step.with_scaling else None)


def _imputed(name: str, step: Any, columns: List[Column]) -> List[Column]:
    if not is_missing(step.missing_values) or step.add_indicator:
        raise ValueError(f"step {name!r} is a SimpleImputer that fills other values than NaN or adds indicators, which has no "
                         "place in a model")
    if len(step.statistics_) != len(columns) or any(map(is_missing, step.statistics_)):
        raise ValueError(f"step {name!r} is a SimpleImputer that leaves out columns without values; leave them out before")
    return [_filled(name, column, fill) for column, fill in zip(columns, step.statistics_)]


def _filled(name: str, column: Column, fill: Any) -> Column:
    if column.fill is not None or column.category is not None:
        return column
    if isinstance(fill, str):
        return column._replace(fill=_text_of_category(name, fill))
    return column._replace(fill=float(fill) * column.scale + column.shift)


def _text_of_category(name: str, category: Any) -> str:
    """A category as files and frames have it; others than texts, whole numbers and truth values have several forms."""
    text = str(category)
    plain = isinstance(category, (str, int, np.integer, bool, np.bool_)) and text.strip() == text and text.isprintable()
    missing = text in ("", "?", "NULL", "null", "None", "<NA>", "NaT", "#N/A", "NIL") or text.lower() in (
        "na", "n/a", "nan", "inf", "infinity", "+inf", "-inf", "+infinity", "-infinity", "+nan", "-nan")
    if plain and not missing:
        return text
    raise ValueError(f"step {name!r} has the category {category!r}, which a file could not tell from others or from a missing "
                     "value; categories are texts, whole numbers or truth values")


def _one_hot(name: str, step: Any, columns: List[Column]) -> List[Column]:
    infrequent = getattr(step, "infrequent_categories_", None)
    if infrequent is not None and any(one is not None for one in infrequent):
        raise ValueError(f"step {name!r} is a OneHotEncoder that puts rare categories together, which has no place in a model")
    if any(column != Column(column.source, fill=column.fill) for column in columns):
        raise ValueError(f"step {name!r} encodes columns that a step before it has changed, which has no place in a model")
    dropped = getattr(step, "drop_idx_", None)
    made = []
    for place, (column, categories) in enumerate(zip(columns, step.categories_)):
        left_out = None if dropped is None else dropped[place]
        made += [column._replace(category=_text_of_category(name, category))
                 for position, category in enumerate(categories) if left_out is None or position != left_out]
    return made


def _column_transformer(name: str, step: Any, columns: List[Column]) -> List[Column]:
    if step.transformer_weights:
        raise ValueError(f"step {name!r} is a ColumnTransformer with transformer_weights, which has no place in a model")
    places = _places_of(step, len(columns))
    made = []
    for inner, transformer, _ in step.transformers_:
        chosen = [columns[place] for place in places[inner]]
        if transformer != "drop" and chosen:
            made += _after(f"{name}__{inner}", transformer, chosen)
    return made


def _places_of(step: Any, count: int) -> Dict[str, List[int]]:
    """The positions of the columns that each part of a ColumnTransformer takes."""
    names = [str(one) for one in getattr(step, "feature_names_in_", [])]

    def places(wanted: Any) -> List[int]:
        if isinstance(wanted, str) or (np.isscalar(wanted) and not isinstance(wanted, slice)):
            wanted = [wanted]
        if isinstance(wanted, slice):
            ends = [names.index(end) if isinstance(end, str) else end for end in (wanted.start, wanted.stop)]
            stop = ends[1] + 1 if isinstance(wanted.stop, str) else ends[1]  # Slices of names have their ends.
            return list(range(count))[slice(ends[0], stop, wanted.step)]
        wanted = list(wanted)
        if wanted and all(isinstance(one, (bool, np.bool_)) for one in wanted):
            return [place for place, kept in enumerate(wanted) if kept]
        return [names.index(one) if isinstance(one, str) else range(count)[one] for one in wanted]

    return {inner: places(wanted) for inner, _, wanted in step.transformers_}


_STEPS: Dict[str, Callable[[str, Any, List[Column]], List[Column]]] = {
    "StandardScaler": _standard, "MinMaxScaler": _min_max, "MaxAbsScaler": _max_abs, "RobustScaler": _robust,
    "SimpleImputer": _imputed, "OneHotEncoder": _one_hot, "ColumnTransformer": _column_transformer}
