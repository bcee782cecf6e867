# SPDX-License-Identifier: Apache-2.0
"""Why a row got its prediction, as values."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Union

import numpy as np

from ._arrays import doubles


class Share(NamedTuple):
    """A part of an answer."""

    contribution: float  #: what it adds to the answer
    share: float  #: in percent, of the sign of the contribution; the magnitudes of all parts sum to 100


class Pull(NamedTuple):
    """What pulls a row towards its prediction, or away from it."""

    source: int  #: the prototype, the training row or the kernel, from 0
    contribution: float  #: what it adds to the answer
    share: float  #: in percent, of the sign of the contribution
    label: Optional[str] = None  #: the class of a prototype, or of a training row where these rows were given
    target: Optional[float] = None  #: of a training row of a regression where these rows were given
    kernel: Optional[str] = None  #: of a kernel its specification
    weight: Optional[float] = None  #: of a kernel its weight in the bank

    @property
    def name(self) -> str:
        """Whom the user knows it as."""
        known = self.kernel if self.kernel is not None else self.label if self.label is not None else self.target
        return str(self.source) if known is None else f"{self.source} ({known})"


class Others(NamedTuple):
    """The sources that are not listed one by one, together."""

    count: int  #: of them
    contribution: float  #: what they add to the answer
    share: float  #: in percent, of the sign of the contribution


class Pulls(NamedTuple):
    """An answer taken apart: contributions, those of others and the offset sum to it."""

    pulls: List[Pull]  #: the strongest first
    offset: Share  #: what no source is the cause of
    others: Optional[Others] = None  #: None where all are listed

    def lines(self, source: str, most: int = 5) -> List[str]:
        """A line for each of the strongest, one for all others, and one for the offset."""
        listed = [(one.name, one.contribution, one.share) for one in self.pulls[:most]]
        left = list(self.pulls[most:]) + ([self.others] if self.others is not None else [])
        if left:
            count = sum(one.count if isinstance(one, Others) else 1 for one in left)
            listed.append((f"{count} others", sum(one.contribution for one in left), sum(one.share for one in left)))
        listed.append(("offset", *self.offset))
        return [f"{source} that pull"] + [f"  {share:+6.1f} %  {contribution:12.6g}  {name}"
                                          for name, contribution, share in listed]


class Change(NamedTuple):
    """A feature of a row that changes."""

    feature: str  #: its name
    column: int  #: its position, from 0
    old: float  #: the value that the row has
    new: float  #: the value with which the prediction turns
    deviations: float  #: the change in standard deviations of the feature


class Counterfactual(NamedTuple):
    """A small change of few features with which the prediction would be another one (Moosavi-Dezfooli, Fawzi and
    Frossard, CVPR 2016, or towards the nearest row of another class)."""

    prediction: str  #: the class that the changed row would get
    distance: float  #: the length of the change, in deviations of the features
    changes: List[Change]  #: the largest in deviations first

    def applied(self, row: Any) -> np.ndarray:
        """The row with its changes."""
        changed = np.array(doubles(row))
        for change in self.changes:
            changed[..., change.column] = change.new
        return changed


class NearestOther(NamedTuple):
    """The nearest training row that the model takes for another class."""

    row: int  #: from 0
    prediction: str  #: the class that the model gives it
    distance: float  #: in deviations of the features; of rows that are not dense in feature space


class Influence(NamedTuple):
    """What a training row did for the answer."""

    row: int  #: from 0
    change: float  #: by how much the answer is larger than without the row
    label: Optional[str] = None  #: the class of the row, where the training rows were given
    target: Optional[float] = None  #: its target, where the training rows were given


class Influences(NamedTuple):
    """By how much the answer is larger than it would be without each training row: for ridge machines in closed form
    (Cook, JASA 1979), for support vector machines what the rows on the margin make of it (Cauwenberghs and Poggio,
    NIPS 2000)."""

    exact: bool  #: whether training anew without the row would give this
    rows: List[Influence]  #: the strongest first


class RowExplanation(NamedTuple):
    """Why a row is of its class, and not of the next best one. What a model does not know is None."""

    row: int  #: its position in the data, from 0
    prediction: Union[str, float]  #: the class, or the value of a regression
    instead_of: Optional[str]  #: the class that it would be otherwise
    answer: float  #: the decision between both, positive for the prediction; or the value of a regression
    distance: Optional[float]  #: the answer as a distance in feature space
    probability: Optional[float]  #: of the class
    prototypes: Pulls  #: what each prototype adds to the answer
    training_rows: Optional[Pulls]  #: what each training row behind them adds
    kernels: Optional[Pulls]  #: what each kernel of the bank adds
    counterfactual: Optional[Counterfactual]  #: the change that would turn the prediction
    nearest_other: Optional[NearestOther]  #: known where the training rows were given
    influences: Optional[Influences]  #: what training with each row did

    def __str__(self) -> str:
        instead = "" if self.instead_of is None else f" and not {self.instead_of}"
        lines = [f"row {self.row} is {self.prediction}{instead}: answer {self.answer:.6g}"]
        if self.distance is not None:
            lines[0] += f", distance {self.distance:.6g}"
        if self.probability is not None:
            lines[0] += f", probability {self.probability:.6g}"
        for name, group in (("prototypes", self.prototypes), ("training rows", self.training_rows),
                            ("kernels", self.kernels)):
            if group is not None:
                lines += group.lines(name)
        if self.nearest_other is not None:
            lines.append(f"nearest training row that is {self.nearest_other.prediction}: {self.nearest_other.row}, "
                         f"distance {self.nearest_other.distance:.6g}")
        if self.counterfactual is not None:
            lines.append(f"it would be {self.counterfactual.prediction} with")
            lines += [f"  {change.feature} {change.new:.6g} instead of {change.old:.6g}"
                      for change in self.counterfactual.changes[:5]]
            if len(self.counterfactual.changes) > 5:
                lines.append(f"  and {len(self.counterfactual.changes) - 5} more")
        if self.influences is not None:
            about = "" if self.influences.exact else "about "
            lines.append("training with these rows changed the answer by")
            lines += [f"  {about}{one.change:.6g}  row {one.row}" for one in self.influences.rows[:5]]
        return "\n".join(lines)


def _number(value: Any) -> float:
    """JSON has null where a number is not defined."""
    return np.nan if value is None else value


def _share(content: Dict[str, Any]) -> Share:
    return Share(_number(content["contribution"]), _number(content["share"]))


def _pulls(content: Dict[str, Any], source: str) -> Pulls:
    pulls = [Pull(one[source], *_share(one), one.get("class"), one.get("target"), one.get("text"), one.get("weight"))
             for one in content["pulls"]]
    others = content.get("others")
    return Pulls(pulls, _share(content["offset"]), others and Others(others["count"], *_share(others)))


def _counterfactual(content: Dict[str, Any]) -> Counterfactual:
    changes = [Change(one["feature"], one["column"], _number(one["from"]), one["to"], _number(one["deviations"]))
               for one in content["changes"]]
    return Counterfactual(content["prediction"], content["distance"], changes)


def _influences(content: Dict[str, Any]) -> Influences:
    rows = [Influence(one["row"], one["change"], one.get("class"), one.get("target")) for one in content["rows"]]
    return Influences(content["exact"], rows)


def explanation_of(content: Dict[str, Any]) -> RowExplanation:
    """What the library told as JSON."""

    def part(name: str, read: Any) -> Any:
        return read(content[name]) if name in content else None

    return RowExplanation(
        content["row"], content["prediction"], content.get("instead_of"), content["answer"], content.get("distance"),
        content.get("probability"), _pulls(content["prototypes"], "prototype"),
        part("training_rows", lambda of: _pulls(of, "row")), part("kernels", lambda of: _pulls(of, "kernel")),
        part("counterfactual", _counterfactual),
        part("nearest_other", lambda of: NearestOther(of["row"], of["prediction"], of["distance"])),
        part("influences", _influences))
