#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tutorials do what they say: tutorials_test.py [--write] DK SOURCE_DIR [TUTORIAL ...]

The ```sh blocks of each page in docs/tutorials run one after the other in a folder of their own, with DK first in PATH and
the repository as $LIBDK. A ```text block is what the ```sh block above it prints. With --write the pages get what was printed.
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

seconds_a_block = 60
fence = re.compile(r"^```(\w*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def blocks_of(page):
    """The commands of a page and what it shows of them: (commands, the match of their output or None)."""
    blocks = []
    for match in fence.finditer(page):
        if match[1] == "sh":
            blocks.append([match[2], None])
        elif match[1] == "text":
            if not blocks or blocks[-1][1]:
                raise ValueError(f"the output has no commands above it:\n{match[0]}")
            blocks[-1][1] = match
    return blocks


def environment(dk, source, folder):
    """Tools that say the same everywhere, and a command that writes for no terminal."""
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "DK_INSTRUCTIONS")}
    tools = folder / "tools"
    tools.mkdir()
    (tools / "dk").symlink_to(dk)
    return {**kept, "PATH": f"{tools}:{kept['PATH']}", "LIBDK": str(source), "LC_ALL": "C", "NO_COLOR": "1"}


def run(path, dk, source, write):
    """What is wrong with a tutorial."""
    page = path.read_text(encoding="utf-8")
    problems, pieces, written_to = [], [], 0
    with tempfile.TemporaryDirectory(prefix="dk-tutorial-") as name:
        folder = Path(name)
        variables = environment(dk, source, folder)
        work = folder / "work"
        work.mkdir()
        for commands, shown in blocks_of(page):
            result = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=work, env=variables,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    timeout=seconds_a_block, check=False)
            printed = result.stdout.decode()
            if result.returncode != 0:
                problems.append(f"status {result.returncode} of\n{commands}{printed}")
                break
            if shown is None:
                continue
            # Pages have no spaces at the ends of lines.
            printed = "".join(line.rstrip() + "\n" for line in printed.strip("\n").splitlines())
            if printed != shown[2]:
                difference = difflib.unified_diff(shown[2].splitlines(), printed.splitlines(), "shown", "printed", lineterm="")
                problems.append(f"another output of\n{commands}" + "\n".join(difference))
            pieces += [page[written_to:shown.start(2)], printed]
            written_to = shown.end(2)
        else:
            report = work / "report.html"
            if not report.is_file() or not report.read_text(encoding="utf-8").startswith("<!DOCTYPE html>"):
                problems.append("report.html is no page")
            if write:
                path.write_text("".join(pieces) + page[written_to:], encoding="utf-8")
                problems = [problem for problem in problems if not problem.startswith("another output")]
    return problems


def main():
    arguments = sys.argv[1:]
    write = "--write" in arguments
    arguments = [argument for argument in arguments if argument != "--write"]
    dk, source = Path(arguments[0]).resolve(), Path(arguments[1]).resolve()
    pages = sorted((source / "docs/tutorials").glob("*.md"))
    if arguments[2:]:
        pages = [page for page in pages if page.stem in arguments[2:]]
    if not pages:
        sys.exit("there is no such tutorial")
    failed = 0
    for page in pages:
        problems = run(page, dk, source, write)
        failed += bool(problems)
        print(f"{page.stem}: {'FAILED' if problems else 'ok'}")
        for problem in problems:
            print(problem)
    if failed:
        sys.exit("where the command rightly prints something else, run tests/install/tutorials_test.py --write DK SOURCE_DIR")


main()
