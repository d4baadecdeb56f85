#!/usr/bin/env python3
"""Odd and broken match texts as GNU Backgammon and we take them: the table of EXPERIMENTS.md.

    experiments.py TAWLA FOLDER

FOLDER holds the inputs and gnubg-results.txt, what GNU Backgammon said of each and wrote again.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

ACTION = re.compile(r"\d\d:|Doubles|Takes|Drops")
# What every fragment of a match is told and what says nothing of the input.
OF_FRAGMENTS = {"match-unfinished", "game-unfinished"}


def of_gnubg(text):
    """By input: its title, what was said, and how many actions were kept."""
    results = {}
    for line in text.splitlines():
        if head := re.match(r"===== (\S+) (.*) rc (\S+)", line):
            current = results[head[1]] = {"title": head[2], "said": [], "kept": 0}
        elif line.startswith("   msg: "):
            said = line[8:].strip()
            if said and not said.startswith("No game in progress"):
                current["said"].append(said)
        elif line.startswith("   >"):
            current["kept"] += len(ACTION.findall(line))
    return results


def of_tawla(tawla, path):
    """How many actions were kept, the findings, and why it was not read."""
    ran = subprocess.run([tawla, "check", "--format", "json", str(path)], capture_output=True, text=True)
    file = json.loads(ran.stdout)["files"][0]
    found = collections.Counter(
        (finding["level"], finding["code"]) for finding in file["findings"] if finding["code"] not in OF_FRAGMENTS
    )
    kept = sum(game["plies"] for match in file["matches"] for game in match["games"])
    return kept, found, file["error"]


def difference(gnubg, kept, found, error):
    """What differs, and why that is wanted."""
    told = [code for (level, code) in found if level != "note"]
    if error or gnubg["kept"] == 0 and kept == 0:
        return "none is read" if gnubg["kept"] == 0 else "not read by us"
    if not gnubg["said"] and gnubg["kept"] == kept:
        if not found:
            return "none"
        return "it takes without a word what we name" if told else "we add a note"
    if gnubg["kept"] < kept:
        if told:
            return "it leaves out what we keep and name"
        return "it leaves out what we read: a spelling that files have"
    if gnubg["kept"] > kept:
        return "it counts more: a row of its own making"
    return "both say so" if told else "it complains of what we read"


def main():
    tawla, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    results = of_gnubg((folder / "gnubg-results.txt").read_text(errors="replace"))
    counts = collections.Counter()
    print("| input | what it holds | gnubg keeps | gnubg says | we keep | we find | difference |")
    print("| --- | --- | ---: | --- | ---: | --- | --- |")
    for path in sorted(folder.iterdir()):
        gnubg = results.get(path.stem)
        if gnubg is None:
            continue
        kept, found, error = of_tawla(tawla, path)
        said = collections.Counter(re.sub(r'[:"].*|\bin \.mat.*|\.?$', "", s, count=1).strip() for s in gnubg["said"])
        said = ", ".join(f"{words} ({n})" if n > 1 else words for words, n in said.items())
        codes = ", ".join(f"{code} ({n})" if n > 1 else code for (_, code), n in sorted(found.items()))
        why = difference(gnubg, kept, found, error)
        counts[why] += 1
        cells = [path.stem, gnubg["title"], gnubg["kept"], said, kept, error or codes, why]
        print("| " + " | ".join(str(cell).replace("|", "\\|").replace("*", "\\*") for cell in cells) + " |")
    print()
    for why, count in counts.most_common():
        print(f"- {count}: {why}")


main()
