"""Fits the weights of a choice: `python -m tests.choices.fit FILE.npz places|groups [--write]`.

Places of the same values are one choice, as likely as all of them, and several right ones count together. Sites are
split into FOLDS parts; what is printed comes from weights that have not seen the site. The groups' features rest on
those of the places, which are fitted first.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy

from scrapewright.programmers.rules import pairs
from scrapewright.programmers.rules.choose import GROUP_WEIGHTS
from scrapewright.session.questions import OPTIONS_AT_MOST

FOLDS = 5
STEPS = 400
Array = numpy.ndarray[Any, Any]


class Prior(NamedTuple):
    """What the weights are taken to be until columns, or pages, say otherwise.

    `penalty`: of the squares of the distances from that, of features scaled to a deviation of 1, over all columns
    together; `deviation`: the least that a feature is taken to have, as little is known of one that few places have;
    `path`: where the weights are shipped.
    """

    path: Path
    penalty: float
    deviation: float
    weights: dict[str, float]


PRIORS = {
    "places": Prior(pairs.WEIGHTS, 1.0, 1e-6, {}),
    # Pages are fewer than columns: what is known of a group without them counts for more.
    "groups": Prior(GROUP_WEIGHTS, 30.0, 0.2, {
        "score": 8.0, "without a place": -3.0, "optional without a place": -1.0, "one of several": -3.2,
        "subject": 2.8, "in the page's frame": -1.6,
        "one for one": 2.0, "several for one": -2.0, "one for several": -1.2, "one, where neither is said": -2.0,
        "records": 0.6, "a feed where one is asked for": 0.6, "rank": -0.24, "page behind": 1.2,
        "in the section": 3.0, "in another section": -3.0,
    }),
}  # fmt: skip


@dataclass(frozen=True)
class Choices:
    """Columns' places, or pages' groups, one after the other: `starts[k]` is the first place of column k.

    `names`: of the features; `same`: a number for each place that those of the same values share; `offered`: how many
    values a person is offered before a right one, or -1.
    """

    names: Array
    sites: Array
    single: Array
    starts: Array
    values: Array
    right: Array
    same: Array
    offered: Array | None = None

    def __len__(self) -> int:
        return len(self.sites)

    def of(self, column: int) -> slice:
        return slice(int(self.starts[column]), int(self.starts[column + 1]))

    def offers(self, column: int, likely: Array) -> tuple[Array, Array]:
        """(the probability of each choice of values, most likely first; whether it is right)."""
        part = self.of(column)
        worth = numpy.bincount(self.same[part], likely)
        right = numpy.bincount(self.same[part], self.right[part]) > 0
        order = numpy.argsort(-worth, kind="stable")
        return worth[order], right[order]


def load(path: Path, what: str) -> Choices:
    with numpy.load(path) as file:
        prefix = "" if what == "places" else "groups."
        names, sites, single, sizes, values, right = (
            file[prefix + name] for name in ("names", "sites", "single", "sizes", "values", "right")
        )
        starts = numpy.concatenate([[0], numpy.cumsum(sizes)])
        if prefix:
            each = numpy.arange(len(right)) - numpy.repeat(starts[:-1], sizes)
            return Choices(names, sites, single, starts, values.astype(float), right, each)
        return Choices(names, sites, single, starts, values.astype(float), right, file["same"], file["offered"])


def fitted(choices: Choices, columns: Array, prior: Prior) -> tuple[Array, float]:
    """The weights of the features and the utility of none, by Adam on the log-likelihood of some columns."""
    rows = numpy.concatenate([numpy.arange(choices.starts[k], choices.starts[k + 1]) for k in columns])
    owner = numpy.repeat(numpy.arange(len(columns)), numpy.diff(choices.starts)[columns])
    first = numpy.concatenate([[0], numpy.cumsum(numpy.diff(choices.starts)[columns])[:-1]])
    scale = numpy.maximum(choices.values[rows].std(0), prior.deviation)
    values, right = choices.values[rows] / scale, choices.right[rows].astype(float)
    some = numpy.bincount(owner, right, len(columns)) > 0
    width = values.shape[1]
    near = numpy.array([prior.weights.get(str(name), 0.0) for name in choices.names]) * scale
    theta = numpy.append(near, 0.0)
    mean, spread = numpy.zeros_like(theta), numpy.zeros_like(theta)
    for step in range(1, STEPS + 1):
        worth, none = values @ theta[:width], theta[width]
        top = numpy.maximum(none, numpy.maximum.reduceat(worth, first))
        power, rest = numpy.exp(worth - top[owner]), numpy.exp(none - top)
        whole = numpy.bincount(owner, power, len(columns)) + rest
        held = numpy.bincount(owner, power * right, len(columns)) + numpy.where(some, 0, rest)
        error = power / whole[owner] - power * right / numpy.maximum(held, 1e-30)[owner]
        slope = numpy.append((error[:, None] * values).sum(0), (rest / whole - ~some).sum())
        slope[:width] += prior.penalty * (theta[:width] - near)
        slope /= len(columns)
        mean, spread = 0.9 * mean + 0.1 * slope, 0.999 * spread + 0.001 * slope**2
        rate = 0.1 if step < 0.7 * STEPS else 0.03
        theta -= rate * (mean / (1 - 0.9**step)) / (numpy.sqrt(spread / (1 - 0.999**step)) + 1e-8)
    return theta[:width] / scale, float(theta[width])


def probabilities(choices: Choices, column: int, weights: Array, none: float) -> Array:
    worth = choices.values[choices.of(column)] @ weights
    top = max(float(worth.max()), none)
    power = numpy.exp(worth - top)
    found: Array = power / (power.sum() + numpy.exp(none - top))
    return found


def held_out(choices: Choices, prior: Prior) -> list[Array]:
    """For each column the probabilities of its places by weights that have not seen its site."""
    part = numpy.array([int(sha256(str(site).encode()).hexdigest(), 16) % FOLDS for site in choices.sites])
    out: list[Array] = [numpy.zeros(0)] * len(choices)
    for fold in range(FOLDS):
        weights, none = fitted(choices, numpy.flatnonzero(part != fold), prior)
        for column in numpy.flatnonzero(part == fold):
            out[column] = probabilities(choices, int(column), weights, none)
    return out


def report(ranks: Sequence[int], what: str) -> str:
    """`ranks`: for each choice that has a right one how many are before it, -1 where it is not offered."""
    count = max(1, len(ranks))
    first, eight = sum(rank == 0 for rank in ranks), sum(0 <= rank < OPTIONS_AT_MOST for rank in ranks)
    return f"{what}: of {len(ranks)} {first / count:.1%} first, {eight / count:.1%} of the first eight"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("what", choices=PRIORS)
    parser.add_argument("--write", action="store_true", help="write the weights fitted on all sites")
    args = parser.parse_args()
    choices, prior = load(args.file, args.what), PRIORS[args.what]
    offers = [choices.offers(column, likely) for column, likely in enumerate(held_out(choices, prior))]
    for kind, some in (("pages about one thing", choices.single), ("lists", ~choices.single)):
        columns = [int(column) for column in numpy.flatnonzero(some) if offers[column][1].any()]
        if choices.offered is not None:
            print(report([int(choices.offered[column]) for column in columns], f"{kind}, as offered"))
        print(report([int(offers[column][1].argmax()) for column in columns], f"{kind}, by the weights"))
    tops = numpy.array([worth[0] for worth, _ in offers])
    right = numpy.array([good[0] for _, good in offers])
    for low, high in ((0.95, 1.01), (0.9, 0.95), (0.8, 0.9), (0.6, 0.8), (0.3, 0.6), (0.0, 0.3)):
        part = (tops >= low) & (tops < high)
        print(f"  probability {low:.2f} to {min(high, 1):.2f}: {part.sum()}, {right[part].mean():.1%} right")
    if args.write:
        write(choices.names, *fitted(choices, numpy.arange(len(choices)), prior), prior.path)


def write(names: Array, weights: Array, none: float, path: Path) -> None:
    each = {str(name): round(float(one), 4) for name, one in zip(names, weights, strict=True)}
    path.write_text(json.dumps({"weights": each, "none": round(none, 4)}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
