#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens reports of models in a headless browser: no message on its console, every chart has marks, nothing is wider than
the screen at 360, 800 and 1600 pixels, and text stands out from what is behind it by 4.5 to 1 (WCAG 2.1, AA), light
and dark.

    tests/install/report_browser_test.py DK REPOSITORY [FOLDER FOR SCREENSHOTS]
"""
import html
import json
import math
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

WIDTHS = (360, 800, 1600)

# Runs in each copy of a page, in a frame of one width, and tells the page around it what it measured.
PROBE = """<script>
addEventListener('load', () => {
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[0-9.]+/g).slice(0, 3).map((v) => {
      v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (colour !== 'rgba(0, 0, 0, 0)') return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  let contrast = 100;
  let worst = '';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || ['TITLE', 'STYLE', 'SCRIPT'].includes(element.tagName.toUpperCase())) continue;
    const style = getComputedStyle(element);
    const ink = element.ownerSVGElement ? style.fill : style.color;
    const [a, b] = [luminance(ink), luminance(behind(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < contrast) { contrast = ratio; worst = node.data.trim().slice(0, 40); }
  }
  const bare = [...document.querySelectorAll('svg')].filter(
    (svg) => !svg.querySelector('rect, circle, path[stroke], path.whisker'));
  const wide = [...document.body.querySelectorAll('*')].filter((e) => {
    const scrolled = e.closest('.wide');
    return !(scrolled && e !== scrolled) && e.getBoundingClientRect().right > innerWidth + 0.5;
  }).map((e) => e.tagName + ' ' + e.textContent.slice(0, 40));
  parent.postMessage({width: innerWidth, overflow: document.documentElement.scrollWidth - innerWidth,
    wide: wide.slice(0, 3), bare: bare.length, charts: document.querySelectorAll('svg').length,
    contrast, worst, dark: matchMedia('(prefers-color-scheme: dark)').matches}, '*');
});
</script>"""

AROUND = """<!DOCTYPE html><html><body><pre id="found"></pre><script>
const found = [];
addEventListener('message', (event) => {
  found.push(event.data);
  document.getElementById('found').textContent = JSON.stringify(found);
});
</script>%s</body></html>"""


def run(*arguments):
    subprocess.run([str(a) for a in arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def browser(arguments, url):
    command = [shutil.which("chromium"), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               "--allow-file-access-from-files", "--enable-logging=stderr", *arguments, url]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def series_file(path):
    draw = random.Random(5)
    with open(path, "w") as file:
        file.write("series,time,level,class\n")
        for row in range(60):
            name = ("rising", "falling")[row % 2]
            slope = 0.2 if row % 2 == 0 else -0.2
            for step in range(20 + draw.randrange(10)):
                file.write(f"{row},{step},{slope * step + draw.gauss(0, 0.3):.3f},{name}\n")


def twenty_classes(path):
    draw = random.Random(7)
    with open(path, "w") as file:
        file.write(",".join(f"f{j}" for j in range(6)) + ",class\n")
        for row in range(500):
            values = [draw.gauss(4 * math.sin(1.7 * (row % 20) * (j + 1)), 1) for j in range(6)]
            file.write(",".join(f"{v:.4f}" for v in values) + f",kind {row % 20}\n")


def regression_file(path):
    draw = random.Random(9)
    with open(path, "w") as file:
        file.write("a,b,c,target\n")
        for _ in range(150):
            x = [draw.gauss(0, 1) for _ in range(3)]
            file.write(",".join(f"{v:.4f}" for v in x) + f",{math.sin(x[0]) + x[1] + draw.gauss(0, 0.1):.4f}\n")


def make_reports(dk, repository, folder):
    data = repository / "examples" / "data"
    twenty_classes(folder / "twenty.csv")
    regression_file(folder / "values.csv")
    series_file(folder / "series.csv")
    models = {
        "binary": (data / "sonar.csv", ["-k", "[rbf(gamma=auto), linear]", "-w", "mklgl", "-s", "standard",
                                        "-p", "probability=yes"]),
        "twenty": (folder / "twenty.csv", ["-s", "standard"]),
        "regression": (folder / "values.csv", ["-m", "kernel_ridge", "-s", "standard"]),
        "novelty": (data / "ionosphere.csv", ["-m", "one_class_svm"]),
        "imkpl": (data / "vehicle.csv", ["-m", "imkpl", "-k", "each_feature(rbf(gamma=auto))", "-s", "standard"]),
        "series": (folder / "series.csv", ["-k", "gak", "--data-options", "format=series label=class"]),
    }
    pages = []
    for name, (rows, settings) in models.items():
        run(dk, "train", rows, "-o", folder / f"{name}.dk", *settings)
        followed = ["--path", "C=0.1:1:10"] if name == "binary" else []
        run(dk, "report", folder / f"{name}.dk", rows, "--training", rows, "-o", folder / f"{name}.html", *followed)
        pages.append(folder / f"{name}.html")
    run(dk, "train", data / "sonar.csv", "-o", folder / "fisher.dk", "-m", "fisher", "-s", "standard")
    run(dk, "report", "--compare", folder / "binary.dk", folder / "fisher.dk", data / "sonar.csv", "-o",
        folder / "compared.html")
    return [*pages, folder / "compared.html"]


def measured(page, dark):
    """What the probe found in the page at each width, and what the browser said on its console."""
    copy = page.with_suffix(".probe.html")
    copy.write_text(page.read_text().replace("<details>", "<details open>").replace("</body>", PROBE + "</body>"))
    frames = "".join(f'<iframe src="{copy.name}" style="width:{w}px;height:900px;border:0"></iframe>' for w in WIDTHS)
    around = page.with_suffix(".frames.html")
    around.write_text(AROUND % frames)
    settings = ["--virtual-time-budget=20000", "--window-size=1700,1000", "--dump-dom"]
    if dark:
        settings.append("--blink-settings=preferredColorScheme=0")
    shown = browser(settings, around.as_uri())
    found = re.search(r'<pre id="found">(.*?)</pre>', shown.stdout, re.DOTALL)
    console = [line for line in shown.stderr.splitlines() if ":CONSOLE" in line]
    return json.loads(html.unescape(found.group(1))) if found and found.group(1) else [], console


def faults_of(page, dark):
    frames, console = measured(page, dark)
    faults = [f"console: {line}" for line in console]
    if sorted(frame["width"] for frame in frames) != sorted(WIDTHS):
        faults.append(f"measured at {[frame['width'] for frame in frames]}")
    for frame in frames:
        where = f"at {frame['width']}"
        if frame["dark"] != dark:
            faults.append(f"{where}: dark is {frame['dark']}")
        if frame["overflow"] > 0 or frame["wide"]:
            faults.append(f"{where}: {frame['overflow']} pixels too wide: {frame['wide']}")
        if frame["bare"] or not frame["charts"]:
            faults.append(f"{where}: {frame['bare']} of {frame['charts']} charts have no marks")
        if frame["contrast"] < 4.5:
            faults.append(f"{where}: contrast {frame['contrast']:.2f} of '{frame['worst']}'")
    return faults


def main():
    dk, repository = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    pictures = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
    if not shutil.which("chromium"):
        print("skipped: there is no chromium here; the packages of tests/run.sh --full have it on Debian")
        return 77
    failed = False
    with tempfile.TemporaryDirectory() as name:
        for page in make_reports(dk, repository, pathlib.Path(name)):
            for dark in (False, True):
                faults = faults_of(page, dark)
                print(f"{'FAILED' if faults else 'ok    '} {page.stem} {'dark' if dark else 'light'}, "
                      f"{page.stat().st_size // 1024} KiB")
                for fault in faults:
                    print("       ", fault)
                failed = failed or bool(faults)
            if pictures:
                for width in WIDTHS:
                    browser([f"--window-size={width},4200", f"--screenshot={pictures / f'{page.stem}_{width}.png'}"],
                            page.as_uri())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
