#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks whether every function of dk.h is in every language, by the names of bindings/functions.txt, and whether the
languages' statuses and kinds are those of dk.h:

    functions.py SOURCE_FOLDER
"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
faults = []


def read(pattern):
    return "\n".join(path.read_text() for path in sorted(source.glob(pattern)))


header = (source / "include/dk/dk.h").read_text()
cpp = read("include/dk/*.hpp")
java = {path.stem: path.read_text() for path in source.glob("bindings/java/src/main/java/org/libdk/*.java")}


def java_members(kind):
    """What a class has, with what it inherits: Model has what ModelFacts has."""
    parent = re.search(rf"^[a-z ]*class {kind} extends (\w+)", java[kind], re.M)
    return java[kind] + (java_members(parent[1]) if parent and parent[1] in java else "")


# a class may have parts: Model.cs, Model.Facts.cs
csharp = {name: read(f"bindings/csharp/LibDk/{name}.cs") + read(f"bindings/csharp/LibDk/{name}.*.cs")
          for name in {path.name.split(".")[0] for path in source.glob("bindings/csharp/LibDk/*.cs")}}
r_code, r_names = read("bindings/r/libdk/R/*.R"), (source / "bindings/r/libdk/NAMESPACE").read_text()
go = read("bindings/go/*.go")
python = read("bindings/python/libdk/*.py")


def body(text, opening):
    """The text from where a type begins to where its closing brace stands alone."""
    found = re.search(opening, text, re.M)
    return re.split(r"^};?$", text[found.end() :], maxsplit=1, flags=re.M)[0] if found else ""


def in_cpp(kind, name):
    text = body(cpp, rf"^class {kind}\b") if kind else cpp
    return re.search(rf"\b{name}\b *[({{:]", text)


def in_java(kind, name):
    kind, name = (kind, name) if kind else (name, "class")
    return kind in java and re.search(rf"^    public [^=;{{}}]*\b{name}\(|^public .*class {name}", java_members(kind), re.M) or (
        kind in java and name == "class")


def in_csharp(kind, name):
    text = csharp.get(kind or name, "")
    return re.search(r"^\s+public [^;=]*?\b" + re.escape(name) + r"\b", text, re.M)


def in_r(kind, name):
    method = re.fullmatch(r"(.+)\.(dk\w*)", f"{kind}.{name}" if kind else name)
    if name.startswith("condition"):
        return "dk_error" in r_code
    if method:
        return re.search(rf'S3method\("?{re.escape(method[1])}"?, {method[2]}\)', r_names)
    return re.search(rf"\b{name}\b", body(r_names.replace(")", "\n}\n"), r"export\("))


def in_go(kind, name):
    receiver = rf"\(\w+ \*?{kind}\) " if kind else ""
    return re.search(rf"^(func {receiver}|type ){name}\b", go, re.M)


def in_python(kind, name):
    text = python
    if kind:
        found = re.search(rf"^class {kind}\b.*\n", python, re.M)
        text = re.split(r"^(?=\S)", python[found.end() :], flags=re.M)[0] if found else ""
        return re.search(rf"^    def {name}\(|self\.{name}\b", text, re.M)
    return re.search(rf"^(def|class) {name}\b", text, re.M)


def has_argument(text, function, argument):
    return any(re.search(rf"\b{argument}\b", found[1]) for found in re.finditer(function, text, re.S))


ARGUMENTS = {
    "R": lambda name, argument: has_argument(
        r_code, rf"{re.escape(name)}(?:\.default)? <- function\((.*?)\) *{{|^$", argument),
    "Python": lambda name, argument: has_argument(
        python, (rf"class {name}:.*?def __init__" if name[0].isupper() and "." not in name
                 else rf"def {name.split('.')[-1]}") + r"\((.*?)\)(?: ->[^\n]*)?:", argument),
}
LANGUAGES = {"C++": in_cpp, "Java": in_java, "C#": in_csharp, "R": in_r, "Go": in_go, "Python": in_python}

lines = [line for line in (source / "bindings/functions.txt").read_text().splitlines() if not line.startswith("#")]
columns = lines[0].split("\t")[1:]
table = {line.split("\t")[0]: line.split("\t")[1:] for line in lines[1:]}

declared = re.findall(r"^DK_API [^(]*?\b(dk_\w+)\(", header, re.M)
for function in declared:
    if function not in table:
        faults.append(f"{function} is not in bindings/functions.txt")
for function, cells in table.items():
    if function not in declared:
        faults.append(f"{function} is no function of dk.h")
    if len(cells) != len(columns):
        faults.append(f"{function} has {len(cells)} names, {len(columns)} are needed")
        continue
    for language, cell in zip(columns, cells):
        if cell == "-" or cell == "":
            faults.append(f"{function} has no reason to be absent in {language}")
        if cell[:1] in "=-":
            continue
        name, _, argument = cell.rstrip(")").partition("(")
        if argument and language in ARGUMENTS:
            found = ARGUMENTS[language](name, argument)
        else:
            kind, _, member = name.rpartition(".") if language != "R" else ("", "", name)
            found = LANGUAGES[language](kind, member)
        if not found:
            faults.append(f"{function} is to be {cell} in {language}, which is not there")


def compared(what, expected, language, found):
    plain = [re.sub("[^a-z0-9]", "", name.lower()) for name in found]
    if plain != [re.sub("[^a-z0-9]", "", name.lower()) for name in expected]:
        faults.append(f"{what} of {language} are {found}, dk.h has {expected}")


statuses = re.findall(r"^    DK_ERR_(\w+) = \d+", header, re.M)
compared("statuses", statuses, "Java",
         re.findall(r"^        ([A-Z_]+)[,;(]", body(java["DkException"], r"enum Status {"), re.M))
compared("statuses", statuses, "C#", re.findall(r"^        (\w+) = \d+,", body(csharp["DkException"], r"enum DkStatus"), re.M))
compared("statuses", statuses, "R",
         re.findall(r'"(\w+)"', re.search(r"status_names <- c\((.*?)\)", r_code, re.S)[1]))
compared("statuses", statuses, "Go", re.findall(r"^\t(\w+)", re.search(
    r"const \(\n(\tInvalidArgument.*?)\n\)", go, re.S)[1], re.M))
compared("statuses", statuses, "Python", re.findall(r"^    ([A-Z_]+) = \d+", python, re.M))
def go_constants(kind):
    return re.findall(r"^\t(\w+)", re.search(rf"const \(\n(\t\w+ {kind} = iota.*?)\n\)", go, re.S)[1], re.M)


kinds = re.findall(r"DK_KIND_(\w+) = \d+", header)
compared("kinds", kinds, "Java", re.findall(r"^        ([A-Z]+),?$", java["Dataset"], re.M))
compared("kinds", kinds, "C#", re.findall(r"^        (\w+) = \d+,", csharp["DataKind"], re.M))
compared("kinds", kinds, "R", re.findall(r'"(\w+)"', re.search(r"kinds <- c\((.*?)\)", r_code)[1]))
compared("kinds", kinds, "Python", re.findall(r'"(\w+)"', re.search(r"_KINDS = \((.*?)\)", python)[1]))

compared("kinds", ["similarities" if kind == "GRAM" else kind for kind in kinds], "Go", go_constants("Kind"))
tasks = re.findall(r"DK_TASK_(\w+) = \d+", header)
compared("tasks", tasks, "Java", re.findall(r"^    ([A-Z]+),?$", java["Task"], re.M))
compared("tasks", tasks, "C#", re.findall(r"^        (\w+) = \d+,", csharp["MachineTask"], re.M))
compared("tasks", tasks, "R", re.findall(r'"(\w+)"', re.search(r"^tasks <- c\((.*?)\)", r_code, re.M)[1]))
compared("tasks", tasks, "Go", go_constants("Task"))
compared("tasks", tasks, "Python", re.findall(r'"(\w+)"', re.search(r"_TASKS = \((.*?)\)", python)[1]))

print("\n".join(faults) or f"{len(declared)} functions in {len(columns)} languages")
sys.exit(1 if faults else 0)
