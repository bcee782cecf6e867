# SPDX-License-Identifier: Apache-2.0
"""What notebooks show of a model: a table without a script, whose texts are escaped."""

from __future__ import annotations

from html import escape
from typing import Any, Iterable, List

_MOST_ROWS = 12
_MOST_COEFFICIENTS = 1_000_000  # of prototypes that are asked for


def page_of(model: Any) -> str:
    info = model.info()
    facts = [("machine", info["machine"]), ("task", info["task"]), ("kernel", info["kernel"]),
             ("training rows", f"{info['training_rows']}, of which {info['support_rows']} are kept")]
    if info.get("classes") and info["task"] == "classification":
        facts.append(("classes", _some(info["classes"])))
    validation = info.get("cross_validation")
    if validation:
        scores = [f"{name} {value['mean']:.4g} ± {value['deviation']:.2g}" for name, value in validation["metrics"].items()
                  if value.get("mean") is not None]
        facts.append(("cross-validation", _some(scores[:4])))
    parts = [_table(facts)]
    weights = model.weights()
    if len(weights) > 1:
        parts.append(_bars(weights))
    if model.prototype_count * model.training_rows <= _MOST_COEFFICIENTS:
        parts.append(_prototypes(model.prototypes()))
    parts.extend(f"<p><b>{escape(one.about)}</b>: {escape(one.text)}</p>" for one in model.warnings())
    return f"<div>{''.join(parts)}</div>"


def _prototypes(found: List[Any]) -> str:
    rows = [[str(one)] for one in found[:_MOST_ROWS]]
    if len(found) > _MOST_ROWS:
        rows.append([f"and {len(found) - _MOST_ROWS} more"])
    return f"<details><summary>{len(found)} prototypes</summary>{_table(rows)}</details>"


def _some(texts: List[str]) -> str:
    named = ", ".join(texts[:_MOST_ROWS])
    return f"{named} and {len(texts) - _MOST_ROWS} more" if len(texts) > _MOST_ROWS else named


def _table(rows: Iterable[Iterable[str]]) -> str:
    cells = ("".join(f'<td style="text-align:left">{escape(str(cell))}</td>' for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _bars(weights: Any) -> str:
    largest = max(map(abs, weights.values())) or 1.0
    rows = (f'<tr><td style="text-align:left">{escape(kernel)}</td><td>{weight:.4g}</td><td style="text-align:left">'
            f'<div style="background:#4477aa;height:0.8em;width:{100 * abs(weight) / largest:.0f}px"></div></td></tr>'
            for kernel, weight in list(weights.items())[:_MOST_ROWS])
    return f"<table>{''.join(rows)}</table>"
