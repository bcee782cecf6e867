# SPDX-License-Identifier: Apache-2.0
"""Plots of models by matplotlib, which is asked for when one is drawn."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional

import numpy as np

_MOST_NAMED = 12  # a legend of more would hide the plot


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots are drawn by matplotlib, which is not installed: pip install matplotlib") from error
    return plt.subplots(layout="constrained")[1]


def weights(model: Any, ax: Any) -> Any:
    ax = _axes(ax)
    named = model.weights()
    places = np.arange(len(named))[::-1]
    ax.barh(places, list(named.values()))
    ax.set_yticks(places, list(named))
    ax.set_xlabel("weight")
    return ax


def prototypes(model: Any, ax: Any) -> Any:
    ax = _axes(ax)
    found = model.prototypes()
    sizes = [np.sort(np.abs(one.coefficients))[::-1] for one in found]
    made = [p for p, size in enumerate(sizes) if np.isfinite(size).all() and size.sum() > 0]
    if made:
        shares = [np.cumsum(sizes[p]) / sizes[p].sum() for p in made]
        longest = max(int(np.argmax(share > 1 - 1e-9)) + 1 for share in shares)
        for p, share in zip(made, shares):
            ax.step(np.arange(1, longest + 1), share[:longest], where="post", label=_name(found, p))
        ax.set(xlabel="training rows, heaviest first", ylabel="share of the prototype", ylim=(0, 1.02))
    else:
        made = list(range(len(found)))
        features = model.info().get("feature_names") or [str(column) for column in range(model.feature_count)]
        for p, values in zip(made, model.prototype_coordinates()):
            ax.plot(np.arange(len(features)), values, marker=".", label=_name(found, p))
        ax.set_xticks(np.arange(len(features)), features, rotation=90 if len(features) > 6 else 0)
        ax.set_ylabel("value")
    handles, labels = ax.get_legend_handles_labels()
    ax.legend(handles[:_MOST_NAMED], labels[:_MOST_NAMED])
    return ax


def _name(found: List[Any], p: int) -> str:
    one = found[p]
    side = f"prototype {p}" if one.function is None else f"{'p+' if one.positive else 'p-'} {one.function}"
    near = f", nearest row {one.nearest[0]}" if len(one.nearest) > 0 else ""
    return (one.label or side) + near


class _Candidate(NamedTuple):
    place: float
    mean: float
    deviation: float
    line: str
    best: bool


def tuning(model: Any, metric: Optional[str], ax: Any) -> Any:
    told = model.info().get("cross_validation")
    if told is None or not told.get("candidates"):
        raise ValueError("the model was not chosen by cross-validation: libdk.cross_validate with grid= or tune=, or no machine "
                         "at all, give one that was")
    metric = metric or told["select"]
    known = sorted({name for one in told["candidates"] for name in one["metrics"]})
    if metric not in known:
        raise ValueError(f"metric is {metric!r}; the candidates have {', '.join(known)}")
    along = _longest(told["candidates"])
    path = _path(told, metric, along)
    ax = _axes(ax)
    for line in dict.fromkeys(one.line for one in path):
        own = [one for one in path if one.line == line]
        ax.errorbar([one.place for one in own], [one.mean for one in own], [one.deviation for one in own], marker=".",
                    capsize=2, label=line or None)
    for one in path:
        if one.best:
            ax.plot(one.place, one.mean, marker="*", markersize=16, color="black")
    places = [one.place for one in path]
    if along is not None and min(places) > 0 and max(places) >= 50 * min(places):
        ax.set_xscale("log")
    ax.set(xlabel=along or "candidate", ylabel=metric)
    if 1 < len({one.line for one in path}) <= _MOST_NAMED:
        ax.legend()
    return ax


def _number(text: Any) -> Optional[float]:
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def _longest(candidates: List[dict]) -> Optional[str]:
    """The parameter of numbers with the most values; None where none has two."""
    values: Dict[str, set] = {}
    for one in candidates:
        for name, text in one["parameters"].items():
            values.setdefault(name, set()).add(_number(text))
    numeric = {name: len(own) for name, own in values.items() if None not in own and len(own) > 1}
    return max(numeric, key=lambda name: numeric[name]) if numeric else None


def _path(told: dict, metric: str, along: Optional[str]) -> List[_Candidate]:
    parameters = [one["parameters"] for one in told["candidates"]]
    differing = [name for name in parameters[0] if name != along and len({str(one.get(name)) for one in parameters}) > 1]
    path = []
    for c, one in enumerate(told["candidates"]):
        score = one["metrics"].get(metric, {})
        if score.get("mean") is None:
            continue
        place = c if along is None else _number(one["parameters"][along])
        line = "" if along is None else ", ".join(f"{name}={one['parameters'][name]}" for name in differing)
        path.append(_Candidate(place, score["mean"], score.get("deviation") or 0.0, line, c == told.get("best", 0)))
    return sorted(path, key=lambda one: (one.line, one.place))
