# SPDX-License-Identifier: Apache-2.0
"""What the command shows to people: command_people_test.py DK SOURCE_DIR [Class.test ...]

Summaries that are short, tables as wide as the terminal, colours, documents for programs, standard input, progress,
proposals, completion and manual pages.
"""
import fcntl
import gzip
import json
import os
import pty
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import unittest
from pathlib import Path

dk = sys.argv[1] if len(sys.argv) > 1 else "dk"
source = Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()
sonar = str(source / "examples/data/sonar.csv")
models = source / "tests/data/models"
work = Path(tempfile.mkdtemp(prefix="dk-people-"))
many, model, many_model = str(work / "many.csv"), str(work / "sonar.dk"), str(work / "many.dk")
bank = "[rbf(gamma=0.01), rbf(gamma=0.1), linear]"


def environment(**changes):
    """The environment without what changes the output, but for the changes."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "TERM")}
    return {**kept, "TERM": "xterm", **{name: value for name, value in changes.items() if value is not None}}


def run(*arguments, status=0, given=None):
    """The result of the command without a terminal."""
    result = subprocess.run([dk, *arguments], input=given, capture_output=True, env=environment(), check=False)
    if result.returncode != status:
        raise AssertionError(f"{arguments}: status {result.returncode}: {result.stderr.decode()}")
    return result


def printed(*arguments, **more):
    return run(*arguments, **more).stdout.decode()


def on_terminal(*arguments, columns=80, **changes):
    """What a terminal of so many columns gets, standard error too."""
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        os.execve(dk, [dk, *arguments], environment(**changes))
    pieces = []
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # Linux says so at the end.
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(terminal)
    _, status = os.waitpid(process, 0)
    if status != 0:
        raise AssertionError(f"{arguments}: {b''.join(pieces).decode()}")
    return b"".join(pieces).decode().replace("\r\n", "\n")


def without_colours(text):
    return re.sub(r"\033\[[0-9;]*[mK]", "", text)


def setUpModule():
    generator = random.Random(1)
    centres = [[generator.gauss(0, 2) for _ in range(8)] for _ in range(20)]
    with open(many, "w", encoding="utf-8") as file:
        file.write(",".join(f"x{i}" for i in range(8)) + ",class\n")
        for row in range(600):
            values = [f"{centre + generator.gauss(0, 1):.4f}" for centre in centres[row % 20]]
            file.write(",".join(values) + f",k{row % 20}\n")
    run("train", sonar, "-o", model, "-s", "standard", "-k", bank, "-w", "dimkl1")
    run("train", many, "-o", many_model)


def tearDownModule():
    shutil.rmtree(work)


class Summaries(unittest.TestCase):
    def test_twenty_classes_take_a_few_lines(self):
        lines = printed("train", many, "-o", str(work / "new.dk"), "--test", many).splitlines()
        self.assertLessEqual(len(lines), 15)
        self.assertRegex(lines[0], r"^test +accuracy 0\.\d+, .* on 600 rows of ")
        self.assertLessEqual(len(printed("info", many_model).splitlines()), 12)
        self.assertLessEqual(len(printed("prototypes", many_model).splitlines()), 24)

    def test_verbose_prints_every_function(self):
        text = printed("train", many, "-o", str(work / "new.dk"), "--test", many, "--verbose")
        self.assertGreater(len(text.splitlines()), 190 + 2 * 20)
        self.assertIn("rows true columns predicted", text)
        self.assertGreater(len(printed("prototypes", many_model, "--verbose").splitlines()), 1000)
        self.assertGreater(len(printed("info", many_model, "--verbose").splitlines()), 190)

    def test_the_wrong_rows_are_counted(self):
        document = json.loads(printed("train", many, "-o", str(work / "new.dk"), "--test", many, "--json"))
        counts = document["test"]["confusion"]["rows_true_columns_predicted"]
        wrong = sum(map(sum, counts)) - sum(row[i] for i, row in enumerate(counts))
        self.assertIn(f"{wrong} rows are wrong", printed("train", many, "-o", str(work / "new.dk"), "--test", many))

    def test_only_what_was_changed_is_told(self):
        text = printed("train", sonar, "-o", str(work / "new.dk"), "-p", "C=10", "-s", "standard")
        self.assertRegex(text, r"(?m)^model +svm C=10 scale=standard$")

    def test_prototypes_of_every_class_are_shown(self):
        shown = {line.split()[1] for line in printed("prototypes", many_model).splitlines()[1:21]}
        self.assertEqual(shown, {f"k{i}" for i in range(20)})

    def test_support_is_the_number_of_coefficients(self):
        prototypes = json.loads(printed("prototypes", model, "--rows", "0", "--json"))["prototypes"]
        for line, prototype in zip(printed("prototypes", model).splitlines()[1:], prototypes):
            self.assertRegex(line, rf"^ +{prototype['prototype']}  .* {len(prototype['made_of'])}  "
                                   rf"{prototype['nearest'][0]['row']} ")

    def test_a_large_bank_shows_its_largest_weights(self):
        path = str(work / "bank.dk")
        run("train", sonar, "-o", path, "-k", "each_feature(rbf(gamma=auto))", "-w", "dimkl1")
        text = printed("weights", path)
        self.assertIn("largest of 60", text)
        self.assertEqual(len(re.findall(r"on\(|rbf", text)) >= 30, True)
        self.assertGreater(len(printed("weights", path, "--verbose").splitlines()), 60)

    def test_a_training_that_ends_early_names_the_parameter(self):
        errors = run("train", sonar, "-o", str(work / "new.dk"), "-s", "none", "-p", "max_iterations=3").stderr.decode()
        self.assertIn("did not converge; raise max_iterations=3", errors)
        self.assertIn("scale=standard", errors)

    def test_warnings_are_shown_and_in_the_document(self):
        new, table = str(work / "new.dk"), work / "leak.csv"
        table.write_text("\n".join(["a,b,class", *(f"{i % 7},{i % 2},{'MR'[i % 2]}" for i in range(40))]))
        ran = run("train", str(table), "-o", new)
        self.assertIn("A single column tells the class: b", ran.stderr.decode())
        self.assertIn("A single column tells the class: b", run("info", new).stderr.decode())
        document = json.loads(printed("train", str(table), "-o", new, "--json"))
        self.assertIn("leak", [one["about"] for one in document["warnings"]])

    def test_thresholds_are_moved_and_told(self):
        new = str(work / "careful.dk")
        text = printed("threshold", model, sonar, "--false-alarms", "0.1", "-o", new)
        self.assertRegex(text, r"(?m)^threshold +moved by .* false alarms \(at most 10 %, 95 % sure\), .* misses$")
        self.assertRegex(printed("info", new), r"(?m)^threshold +moved by ")
        cheap = json.loads(printed("threshold", model, sonar, "--miss-cost", "1e9", "-o", new, "--json"))
        self.assertEqual(cheap["threshold"]["misses"], 0)

    def test_drift_is_none_of_the_same_rows(self):
        found = json.loads(printed("drift", model, sonar, "--reference", sonar, "--json"))
        self.assertLess(found["distance"], 1e-6)
        self.assertGreater(found["p"], 0.99)
        self.assertRegex(printed("drift", model, sonar, "--reference", sonar), r"(?m)^p +")


class Candidates(unittest.TestCase):
    grid = ["cv", sonar, "-s", "standard", "-g", "C=0.01:1:100;kernel=[rbf(gamma=auto), linear]"]

    def rows(self, text):
        """The lines of the table below its head, as accuracy and the words behind the numbers."""
        lines = text[text.index("the best first"):].splitlines()[2:]
        found = [re.search(r" (0\.\d+|1) +[\d.e-]+(?: +[\d.e-]+){0,2}(?: +(best|not told apart))?$", line) for line in lines]
        return [(float(row[1]), row[2]) for row in found if row]

    def check(self, arguments):
        validation = json.loads(printed(*arguments, "--json"))["info"]["cross_validation"]
        rows = self.rows(printed(*arguments))
        self.assertEqual(len(rows), min(20, len(validation["candidates"])))
        self.assertEqual([accuracy for accuracy, _ in rows], sorted((accuracy for accuracy, _ in rows), reverse=True))
        self.assertEqual([mark for _, mark in rows].count("best"), 1)
        self.assertEqual(rows[0][1], "best")
        alike = sum(candidate.get("behind_best", {}).get("p", 0) >= 0.05 for candidate in validation["candidates"])
        self.assertEqual([mark for _, mark in rows].count("not told apart"), alike)
        self.assertAlmostEqual(rows[0][0], validation["candidates"][validation["best"]]["metrics"]["accuracy"]["mean"], 3)

    def test_a_grid_is_sorted(self):
        self.check(self.grid)

    def test_ways_to_weigh_are_sorted(self):
        self.check(["mkl-compare", sonar, "-s", "standard", "-k", bank, "-g", "weights=[uniform, dimkl1, mklgl, each]"])

    def test_many_candidates_are_shortened(self):
        arguments = ["cv", sonar, "-m", "mean_of_class", "-p", "folds=2", "-g",
                     "kernel=[" + ", ".join(f"rbf(gamma={n})" for n in range(1, 26)) + "]"]
        self.assertIn("and 5 more", printed(*arguments))
        self.assertEqual(len(self.rows(printed(*arguments, "--verbose"))), 25)

    def test_ranks_are_sorted(self):
        text = printed("mkl-compare", sonar, "--and", sonar, "-k", bank, "-p", "folds=2", "-g", "weights=[uniform, align]")
        table = text[text.index("ranks by"):].splitlines()[2:4]
        self.assertRegex(table[0], r" 1  best$")
        self.assertRegex(table[1], r" 2  not told apart$")


class Terminals(unittest.TestCase):
    commands = [["train", many, "-o", str(work / "new.dk"), "--test", many, "--verbose"], ["prototypes", many_model],
                ["prototypes", model, "--verbose"], ["info", model, "--verbose"], ["weights", model], ["describe"],
                ["describe", "svm"], ["cv", sonar, "-g", "C=1:10;kernel=[rbf(gamma=auto), linear]"],
                ["path", sonar, "--over", "C=1:10", "--coefficients"],
                ["prototypes-compare", sonar, "-m", "iskpl,svm", "-n", "2", "--folds", "2", "--halves", "2"]]

    def test_lines_fit(self):
        for columns in (40, 80, 200):
            for command in self.commands:
                text = without_colours(on_terminal(*command, columns=columns)).split("\r")[-1]
                # Proposals are commands to copy, which are not broken.
                for line in text.split("\nNext: ")[0].splitlines():
                    self.assertLessEqual(len(line), columns, f"{command}: {line}")

    def test_what_is_cut_ends_in_an_ellipsis(self):
        self.assertIn("\u2026", on_terminal("prototypes", many_model, columns=40))
        self.assertNotIn("\u2026", printed("prototypes", many_model))

    def test_columns_of_the_environment_go_first(self):
        text = without_colours(on_terminal("describe", columns=200, COLUMNS="50"))
        self.assertLessEqual(max(map(len, text.splitlines())), 50)
        self.assertGreater(max(map(len, without_colours(on_terminal("describe", columns=200)).splitlines())), 50)

    def test_what_is_named_is_read_in_full(self):
        doc = next(one["doc"] for one in json.loads(printed("describe", "svm", "--json"))["machines"])
        words = " ".join(without_colours(on_terminal("describe", "svm", columns=60)).split())
        self.assertIn(doc, words)

    def test_colours(self):
        command = ["info", model]
        self.assertIn("\033[1m", on_terminal(*command))
        self.assertNotIn("\033", on_terminal(*command, NO_COLOR="1"))
        self.assertNotIn("\033", on_terminal(*command, TERM="dumb"))
        self.assertIn("\033[1m", on_terminal(*command, NO_COLOR=""))
        self.assertNotIn("\033", printed(*command))

    def test_the_winner_is_coloured(self):
        text = on_terminal("cv", sonar, "-g", "C=0.01:10")
        self.assertRegex(text, r"\033\[1;32m.*best\033\[0m")

    def test_names_of_classes_cannot_move_the_cursor(self):
        path = work / "hostile.csv"
        path.write_text("x,class\n" + "".join(f"{i},{'a' if i % 2 else 'b'}\033[2J\n" for i in range(20)))
        hostile = str(work / "hostile.dk")
        self.assertNotIn("\033", printed("train", str(path), "-o", hostile, "--test", str(path)))
        self.assertNotIn("\033", printed("prototypes", hostile))


class Documents(unittest.TestCase):
    def test_every_result_has_one(self):
        new = str(work / "new.dk")
        for command in (["train", sonar, "-o", new, "--test", sonar], ["cv", sonar], ["info", model], ["weights", model],
                        ["mkl-compare", sonar, "-k", bank, "-g", "weights=[uniform, align]"], ["prototypes", model],
                        ["predict", model, sonar], ["explain", model, sonar, "--row", "0"], ["describe"],
                        ["describe", "svm"], ["path", sonar, "--over", "C=1:10"], ["gram", sonar, "-k", "rbf"],
                        ["compress", model, sonar, "-o", new],
                        ["threshold", model, sonar, "--miss-cost", "2", "-o", new], ["drift", model, sonar, "--reference", sonar],
                        ["gram", sonar, "-k", "rbf", "-o", str(work / "gram.csv")],
                        ["prototypes-compare", sonar, "-m", "svm", "--folds", "2", "--halves", "0"]):
            json.loads(printed(*command, "--json"))
            json.loads(on_terminal(*command, "--json").split("\r\033[K")[-1])

    def test_verbose_changes_no_document(self):
        for command in (["info", model], ["prototypes", model], ["weights", model], ["cv", sonar]):
            self.assertEqual(printed(*command, "--json"), printed(*command, "--json", "--verbose"))


class StandardInput(unittest.TestCase):
    content = Path(sonar).read_bytes()

    def test_data_come_through_a_pipe(self):
        self.assertEqual(printed("predict", model, "-", given=self.content), printed("predict", model, sonar))
        compressed = gzip.compress(self.content)
        self.assertEqual(printed("predict", model, "-", given=compressed), printed("predict", model, sonar))

    def test_models_are_the_same(self):
        from_pipe, from_file = work / "pipe.dk", work / "file.dk"
        run("train", "-", "-o", str(from_pipe), given=self.content)
        run("train", sonar, "-o", str(from_file))
        self.assertEqual(from_pipe.read_bytes(), from_file.read_bytes())

    def test_other_commands_read_it(self):
        for command in (["cv", "-"], ["explain", model, "-", "--row", "1"], ["path", "-", "--over", "C=1:2"],
                        ["gram", "-", "-k", "linear"], ["train", sonar, "-o", str(work / "new.dk"), "--test", "-"],
                        ["compress", model, "-", "-o", str(work / "small.dk")]):
            named = [sonar if word == "-" else word for word in command]
            self.assertEqual(printed(*command, "--json", given=self.content), printed(*named, "--json"))

    def test_it_is_read_once(self):
        errors = run("train", "-", "-o", str(work / "new.dk"), "--test", "-", status=1, given=self.content).stderr.decode()
        self.assertIn("only once", errors)

    def test_an_empty_one_is_an_error(self):
        self.assertIn(b"dk: ", run("predict", model, "-", status=1, given=b"").stderr)


class ProgressLine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        generator = random.Random(2)
        cls.slow = str(work / "slow.csv")
        with open(cls.slow, "w", encoding="utf-8") as file:
            file.write(",".join(f"x{i}" for i in range(20)) + ",class\n")
            for _ in range(5000):
                row = [generator.gauss(0, 1) for _ in range(20)]
                label = row[0] * row[1] + row[2] + generator.gauss(0, 1) > 0
                file.write(",".join(f"{value:.4f}" for value in row) + f",{int(label)}\n")
        cls.text = on_terminal("cv", cls.slow, "-s", "standard", "-p", "C=1000", "-p", "folds=3", "--threads", "1")

    def lines(self, text):
        return re.findall(r"\r\033\[K\[([#.]+)\] +(\d+) %  ([^\r\n]*)", text)

    def test_it_never_falls(self):
        percents = [int(percent) for _, percent, _ in self.lines(self.text)]
        self.assertGreater(len(percents), 3)
        self.assertEqual(percents, sorted(percents))

    def test_it_does_not_stand_still(self):
        percents = [int(percent) for _, percent, _ in self.lines(self.text)]
        # Lines are drawn so often and no more, and steps between them are what the machine does meanwhile; a fold that
        # reported nothing would be a step of a third.
        self.assertLess(max(b - a for a, b in zip(percents, percents[1:])), 25)

    def test_it_says_what_is_done_and_how_long(self):
        self.assertTrue(any("cross-validation" in text and re.search(r", \d+ (s|min) left", text)
                            for _, _, text in self.lines(self.text)))

    def test_it_is_gone_at_the_end(self):
        self.assertNotIn("%  ", self.text.split("\r\033[K")[-1].splitlines()[0])

    def test_several_sets_are_named(self):
        text = on_terminal("mkl-compare", self.slow, "--and", self.slow, "-k", bank, "-p", "folds=2", "-g",
                           "weights=[uniform, dimkl1]", "--threads", "1", columns=200)
        percents = [int(percent) for _, percent, _ in self.lines(text)]
        self.assertEqual(percents, sorted(percents))
        # Kernel values that folds share are a small part: the first set was at its end when they were computed.
        self.assertLess(percents[0], 30)
        names = [name for _, _, name in self.lines(text)]
        self.assertTrue(any("set 2 of 2" in name for name in names), names)

    def test_it_fits(self):
        text = on_terminal("cv", self.slow, "-s", "standard", "-p", "C=100", "--threads", "1", columns=40)
        for bar, percent, name in self.lines(text):
            self.assertLess(len(f"[{bar}] {percent:>3} %  {name}"), 40)

    def test_without_a_terminal_there_is_none(self):
        self.assertEqual(run("cv", self.slow, "-p", "folds=2").stderr, b"")


class Proposals(unittest.TestCase):
    def error(self, *arguments, status=1):
        return run(*arguments, status=status).stderr.decode()

    def test_after_training(self):
        text = printed("train", sonar, "-o", str(work / "a model.dk"))
        self.assertIn(f"dk predict '{work}/a model.dk' NEW.csv", text)
        self.assertIn(f"dk report '{work}/a model.dk' {sonar} -o report.html", text)

    def test_after_mistakes(self):
        out = str(work / "no.dk")
        for expected, command in (
                ("dk describe machines", ["train", sonar, "-o", out, "-m", "svmm"]),
                ("dk describe auto", ["train", sonar, "-o", out, "-p", "D=1"]),
                ("dk describe svm", ["train", sonar, "-o", out, "-m", "svm", "-p", "D=1"]),
                ("dk describe kernels", ["train", sonar, "-o", out, "-k", "rgb"]),
                ("dk describe weights", ["train", sonar, "-o", out, "-w", "foo"]),
                ("dk describe layers", ["train", sonar, "-o", out, "-p", "layers=foo(2)"]),
                ("'dk info", ["predict", model, many]),
                (f"dk predict {model} {sonar}", ["predict", sonar, model]),
                (f"dk train {sonar} -o", ["predict", sonar, sonar]),
                (f"dk info {model}", ["train", model, "-o", out])):
            self.assertIn(expected, self.error(*command).splitlines()[-1], command)

    def test_a_subcommand_is_guessed(self):
        self.assertIn("nearest is 'train'", self.error("trian", status=2))
        self.assertNotIn("nearest", self.error("frobnicate", status=2))


class Completion(unittest.TestCase):
    def completed(self, *words):
        """What bash offers for the last of the words."""
        script = ('source <("$0" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dk; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        result = subprocess.run(["bash", "-c", script, dk, "dk", *words], capture_output=True, text=True, check=True)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()

    def test_bash_knows_the_function(self):
        result = subprocess.run(["bash", "-c", 'source <("$0" completion bash); complete -p dk', dk],
                                capture_output=True, text=True, check=True)
        self.assertEqual(result.stdout, "complete -o bashdefault -o default -F _dk dk\n")

    def test_subcommands(self):
        self.assertEqual(self.completed("tr"), ["train"])
        self.assertIn("mkl-compare", self.completed(""))

    def test_options_are_those_of_the_help(self):
        for subcommand in self.completed(""):
            if subcommand.startswith("-"):
                continue
            offered = set(self.completed(subcommand, "-"))
            told = set(re.findall(r"(?m)^  (-\w(?=,)|--[\w-]+)", printed(subcommand, "--help")))
            told |= set(re.findall(r"(?m)^  -\w,(--[\w-]+)", printed(subcommand, "--help")))
            self.assertEqual(offered, told, subcommand)

    def test_names_of_the_library(self):
        self.assertEqual(self.completed("train", "x.csv", "-m", "ke"), ["kelm", "kernel_ridge", "kernel_pca", "kernel_k_means"])
        self.assertIn("rbf", self.completed("train", "x.csv", "--kernel", "r"))
        self.assertIn("dimkl1", self.completed("cv", "x.csv", "-w", "d"))
        self.assertIn("standard", self.completed("cv", "x.csv", "--scale", "s"))
        self.assertIn("svm", self.completed("describe", "s"))

    def test_parameters_are_those_of_the_machine(self):
        self.assertIn("loss=", self.completed("train", "x.csv", "-p", "l"))
        self.assertNotIn("loss=", self.completed("train", "x.csv", "-m", "imkpl", "-p", "l"))
        self.assertIn("squared_hinge", self.completed("train", "x.csv", "-p", "loss", "="))
        self.assertEqual(self.completed("train", "x.csv", "-p", "scale", "=", "st"), ["standard"])

    def test_files_are_left_to_bash(self):
        self.assertEqual(self.completed("train", "x.csv", "-o", ""), [])

    def test_other_shells_accept_their_scripts(self):
        for shell, check in (("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])):
            path = work / f"completion.{shell}"
            path.write_text(printed("completion", shell))
            if shutil.which(shell):
                subprocess.run([*check, str(path)], check=True)

    def test_fish_completes(self):
        if not shutil.which("fish"):
            self.skipTest("there is no fish")
        path = work / "dk.fish"
        path.write_text(printed("completion", "fish"))

        def offered(line):
            return subprocess.run(["fish", "--no-config", "-c", f"source {path}; complete -C '{line}'"], capture_output=True,
                                  text=True, check=True).stdout
        self.assertIn("mkl-compare\t", offered("dk m"))
        self.assertIn("imkpl", offered("dk train x.csv -m im"))
        self.assertIn("loss=", offered("dk train x.csv -p lo"))


class Manuals(unittest.TestCase):
    def test_pages_have_no_warnings(self):
        folder = work / "pages"
        run("man", "--folder", str(folder))
        pages = sorted(folder.iterdir())
        self.assertIn("dk-train.1", [page.name for page in pages])
        for page in pages:
            result = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", str(page)], capture_output=True, text=True,
                                    check=True)
            self.assertEqual(result.stderr, "", page.name)

    def test_a_page_has_every_option(self):
        page = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou"], input=printed("man", "train"), capture_output=True,
                              text=True, check=True).stdout
        for option in re.findall(r"(--[\w-]+)", printed("train", "--help")):
            self.assertIn(option, page)
        self.assertIn("dk-train - train a model", page)
        self.assertIn('--kernel "[rbf(gamma=auto), arccos(1,0)]"', page)

    def test_an_unknown_page(self):
        run("man", "nothing", status=1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
