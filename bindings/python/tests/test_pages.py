# SPDX-License-Identifier: Apache-2.0
"""Pages and JSON of every machine, whose names are hostile, as a parser of HTML and one of JSON read them."""

import json
import re
from html.parser import HTMLParser

import libdk
import numpy as np
import pytest
from libdk._calls import control_of

# What stands in a file's name, a column, a class, a row or a title must come back as this text.
HOSTILE = "'\"><dk-hostile onload=\"x\"></script></style></title>&amp;&#60;"
TAGS = {"html", "head", "meta", "link", "title", "style", "body", "header", "footer", "main", "nav", "section", "details", "summary",
        "h1", "h2", "h3", "p", "a", "b", "i", "em", "strong", "code", "pre", "br", "ul", "ol", "li", "dl", "dt", "dd", "div", "span",
        "figure", "figcaption", "img", "table", "caption", "thead", "tbody", "tr", "th", "td", "small",
        "svg", "g", "rect", "circle", "line", "path", "polyline", "polygon", "text", "tspan"}
REFERENCES = {"href", "src", "xlink:href", "srcset", "action", "formaction", "poster", "background"}
EMPTY = {"meta", "link", "br", "img"}
MACHINES = libdk.describe()["machines"]


class Page(HTMLParser):
    """Reads a page and collects what is wrong with it, and the texts that it shows."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.texts, self.shown = [], [], [], []
        self.feed(page)
        self.close()
        if self.open:
            self.faults.append(f"never closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in EMPTY and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        if tag not in TAGS:
            self.faults.append(f"tag {self.get_starttag_text()}")
        for name, value in attrs:
            if not re.fullmatch(r"[a-z][a-zA-Z0-9:-]*", name) or name.startswith("on"):
                self.faults.append(f"attribute {name} of {tag}")
            if name in REFERENCES and not value.startswith(("#", "data:image/", "data:,")) or name == "http-equiv":
                self.faults.append(f"{tag} refers to {value}")
            self.texts.append(value or "")
        if len({name for name, _ in attrs}) != len(attrs):
            self.faults.append(f"an attribute of {tag} stands twice")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing that is open")

    def handle_data(self, data):
        self.texts.append(data)
        if not {"style", "title"} & set(self.open):
            self.shown.append(data)

    def handle_comment(self, data):
        self.faults.append(f"comment {data}")

    def handle_pi(self, data):
        self.faults.append(f"instruction {data}")

    def unknown_decl(self, data):
        self.faults.append(f"declaration {data}")


def strict(text):
    """Parses JSON as RFC 8259 has it: Python alone would take NaN and Infinity."""
    def refuse(constant):
        raise AssertionError(f"{constant} is no number of JSON")
    return json.loads(text, parse_constant=refuse)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(24, 3))
    classes = np.array([HOSTILE, "plain", HOSTILE * 2])[np.arange(24) % 3]
    x[:, 0] += 3 * (np.arange(24) % 3)
    return libdk.Data(x, labels=classes, targets=x[:, 0], names=[HOSTILE + "a", "<b>", HOSTILE + "c"],
                      ids=[f"{HOSTILE}{row}" for row in range(24)])


def brief(machine):
    small = {"neighbours": 1, "epochs": 2, "max_rounds": 3, "atoms": 2, "hidden": 3, "components": 2}
    known = {parameter["name"] for parameter in machine["parameters"]}
    return {name: value for name, value in small.items() if name in known}


def explained(model, data):
    """What the library tells of the first row, as text; some machines have nothing to explain rows by."""
    try:
        return model._native.explain_row_with(data._native, 0, data._native, control_of())
    except libdk.UnsupportedError:
        return "{}"


@pytest.mark.parametrize("machine", MACHINES, ids=[machine["name"] for machine in MACHINES])
def test_pages_and_json_hold_hostile_names_as_text(machine, data, tmp_path):
    model = libdk.train(data, machine["name"], **brief(machine))
    for text in (model._native.info(), model._native.warnings(), explained(model, data)):
        strict(text)
    for options in ({"title": HOSTILE}, {"manager": True}):
        path = tmp_path / "page.html"
        model.report(path, data, data, **options)
        page = Page(path.read_text(encoding="utf-8"))
        assert page.faults == []
        assert any(HOSTILE in text for text in page.shown), "the page shows the names"
        assert not any(re.search(r"(?<![\w.])-?(nan|inf)(?!\w)", text) for text in page.texts)


def test_comparisons_hold_hostile_names_as_text(data, tmp_path):
    models = [libdk.train(data, name) for name in ("svm", "kelm")]
    libdk.compare(tmp_path / "page.html", models, data, title=HOSTILE)
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert page.faults == []
    assert any(HOSTILE in text for text in page.shown)


def test_the_parser_finds_what_it_looks_for():
    assert Page("<p>a</p><svg><path d='M0'/></svg>").faults == []
    for wrong in ("<dk-hostile>", "<p onload='x'></p>", "<p></b>", "<a href='http://x'></a>", "<!-- x -->", "<p"):
        assert Page("<html>" + wrong + "</html>").faults, wrong
