"""Does Spark count what one machine counts? Makes an archive, checks it both ways, and prints the counts side by side.

    python3 tests/cluster/test.py target/release/tawla --matches 20000

Spark runs in local mode, two tasks at a time. The counts must be equal, and so must be every row of the three
tables. Without PySpark the test says so and passes. Cargo makes the archive: random matches, every third with a
mistake; the fixtures of the project and files that are no transcripts come on top.
"""

import argparse
import collections
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOB = ROOT / "tests/cluster/job.py"

# Fields of the JSON that the tables leave out, or hold in another shape.
NOT_OF_FINDINGS = {"related", "repairs"}
NOT_OF_MATCHES = {"file_analysis", "games"}
NOT_OF_RULES = {"file", "origin"}


def make_archive(folder, matches):
    """Random matches, the fixtures, and what a folder of downloads has beside transcripts."""
    settings = {"TAWLA_ARCHIVE": str(folder), "TAWLA_MATCHES": str(matches)}
    command = ["cargo", "test", "--quiet", "--test", "it", "write_the_archive", "--", "--ignored"]
    subprocess.run(command, cwd=ROOT, env=os.environ | settings, check=True, stdout=subprocess.DEVNULL)
    shutil.copytree(ROOT / "fixtures", folder / "fixtures")
    one = (folder / "alone/0.mat").read_text()
    odd = folder / "odd names"
    odd.mkdir()
    (odd / "Zoë, 100% sure.mat").write_text(one, encoding="utf-16")
    (odd / "empty.mat").write_bytes(b"")
    (odd / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))


def one_machine(tawla, folder):
    """The exit status, the rows of the three tables, and the seconds it took."""
    files = sorted(str(path) for path in folder.rglob("*") if path.is_file())
    tables = {"findings": [], "matches": [], "files": []}
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        start = time.monotonic()
        command = [tawla, "check", "--no-config", "--format", "ndjson", *files]
        status = subprocess.run(command, stdout=out, stderr=subprocess.DEVNULL).returncode
        seconds = time.monotonic() - start
        out.seek(0)
        for line in out:
            take(json.loads(line), tables)
    return status, tables, seconds


def take(report, tables):
    """Adds the rows of a line of JSON."""
    path = report["path"]
    for number, found in enumerate(report["matches"], start=1):
        row = {name: value for name, value in found.items() if name not in NOT_OF_MATCHES}
        row["rules"] = {name: value for name, value in found["rules"].items() if name not in NOT_OF_RULES}
        row |= {"games": len(found["games"]), "plies": sum(game["plies"] for game in found["games"])}
        tables["matches"].append({"path": path, "match": number} | row)
    for finding in report["findings"]:
        row = {name: value for name, value in finding.items() if name not in NOT_OF_FINDINGS}
        tables["findings"].append({"path": path} | row)
    sizes = {name: len(report[name]) for name in ("matches", "findings")}
    row = {name: report[name] for name in ("error", "format", "dialect", "encoding")}
    # The extension decides between these two, and the job does not pass it on.
    row["format"] = "xg" if row["format"] == "xgp" else row["format"]
    tables["files"].append({"path": path, "length": os.path.getsize(path)} | row | sizes)


def submit(tawla, *words):
    """Runs the job in local mode: its status, the counts that it printed or None, and all that it said."""
    import pyspark

    settings = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [pathlib.Path(pyspark.__path__[0]) / "bin/spark-submit", "--master", "local[2]"]
    command += ["--files", tawla, JOB, "--tawla", pathlib.Path(tawla).name, *words]
    ran = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True)
    # Spark logs to standard output too when something goes wrong.
    counts = [line for line in ran.stdout.splitlines() if line.startswith('{"files":')]
    return ran.returncode, json.loads(counts[0]) if counts else None, ran.stdout + ran.stderr


def on_spark(tawla, folder, output):
    """The exit status, the rows of the three tables, the seconds it took, and the counts that the job printed."""
    start = time.monotonic()
    status, counts, said = submit(tawla, "--output", output, folder)
    seconds = time.monotonic() - start
    if counts is None:
        sys.exit(f"the job printed no counts, status {status}:\n{said}")
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    spark = SparkSession.builder.master("local[2]").getOrCreate()
    tables = {}
    for name in ("findings", "matches", "files"):
        rows = spark.read.parquet(f"{output}/{name}").collect()
        tables[name] = [row.asDict(recursive=True) for row in rows]
        for row in tables[name]:
            row["path"] = row["path"].removeprefix("file:")
    for row in tables["files"]:
        del row["status"]
    spark.stop()
    return status, tables, seconds, counts


def counted(tables):
    """The counts of the tables by name."""
    files, matches, findings = (tables[name] for name in ("files", "matches", "findings"))
    counts = {"files": len(files), "unread": sum(file["error"] is not None for file in files)}
    counts |= {"matches": len(matches)} | {name: sum(row[name] for row in matches) for name in ("games", "plies")}
    levels = collections.Counter(finding["level"] for finding in findings)
    counts |= {f"{level}s": levels[level] for level in ("error", "warning", "note")}
    codes = collections.Counter(finding["code"] for finding in findings)
    return counts | {f"  {code}": codes[code] for code in sorted(codes)}


def side_by_side(one, other):
    """Prints both columns; whether they are equal."""
    print(f"{'':34} {'one machine':>12} {'Spark':>12}")
    for name in one | other:
        left, right = one.get(name, 0), other.get(name, 0)
        print(f"{name:34} {left:12} {right:12}{'' if left == right else '  DIFFERENT'}")
    return one == other


def same_rows(one, other):
    """Whether the tables have the same rows, columns included; says which rows differ."""
    same = True
    for name in one:
        left, right = (
            collections.Counter(json.dumps(row, sort_keys=True) for row in tables[name]) for tables in (one, other)
        )
        for side, rows in (("one machine", left - right), ("Spark", right - left)):
            same &= not rows
            for row in list(rows)[:3]:
                print(f"{name}, only of {side} ({rows.total()} in all): {row}")
    return same


def refuses(tawla, output, reason, *words):
    """Whether the job ends with status 2 and says why, without counts; prints what it said if not."""
    status, counts, said = submit(tawla, "--output", output, *words)
    right = (status, counts) == (2, None) and reason in said
    if not right:
        print(f"job.py {' '.join(map(str, words))}: status {status}, not 2 with {reason!r}:\n{said}")
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tawla", type=os.path.abspath, help="the program")
    parser.add_argument("--matches", type=int, default=2000, help="how many random matches (default: 2000)")
    args = parser.parse_args()
    if importlib.util.find_spec("pyspark") is None:
        print("PySpark is not installed: nothing was compared (pip install pyspark)")
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        archive, output = pathlib.Path(scratch, "archive"), pathlib.Path(scratch, "tables")
        make_archive(archive, args.matches)
        status, rows, seconds = one_machine(args.tawla, archive)
        spark_status, spark_rows, spark_seconds, printed = on_spark(args.tawla, archive, output)
        counts, spark_counts = counted(rows), counted(spark_rows)
        same = side_by_side({"exit status": status} | counts, {"exit status": spark_status} | spark_counts)
        print(f"{'seconds, start included':34} {seconds:12.1f} {spark_seconds:12.1f}")
        same &= same_rows(rows, spark_rows)
        if any(printed[name] != counts[name] for name in printed):
            print(f"the job printed {printed}")
            same = False
        # Tables that exist are kept, and a wrong option is no finding.
        same &= refuses(args.tawla, output, "already exists", archive / "odd names")
        wrong = "--no-such-option"
        same &= refuses(args.tawla, f"{output}-2", f"'{wrong}' found", f"--options={wrong}", archive / "odd names")
    print("equal" if same else "DIFFERENT")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
