"""Checks an archive of transcripts on Apache Spark: files in, tables of findings, matches and files out.

    spark-submit --files target/release/tawla tests/cluster/job.py --output tables archive/

Each file goes through `tawla check --format ndjson -` of its own, on whatever machine holds the partition, and the
JSON is taken apart by Spark. What decides about rules, formats and findings is the program; the job only deals out
and collects. A file is a transcript or a stream of many of them. It is the unit of work, and its report is one line
with all of its findings, so an archive is best kept in streams of 1 to 32 MB: below that the start of the program
counts, above it the memory of a worker, which holds the files of a partition and their reports.

The extension of a file is not seen by the program, and no `tawla.toml` is looked for: what must be said of the
archive is said once, with `--options`. Files and folders whose names start with `.` or `_` are passed over, as Spark
does everywhere. Needs Spark 3.5 or newer, and nothing else on the machines.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import traceback

from pyspark import SparkFiles, StorageLevel
from pyspark.sql import SparkSession, functions as f

# What the tables take of a line of the program's output; `tawla schema check` says what the fields mean.
REPORT = """
    format string, dialect string, encoding string, error string,
    matches array<struct<
        match_length: int, players: array<string>, score: array<int>, stated_score: array<int>,
        score_if_disallowed: array<int>, winner: int, lost_on_time: int, games: array<struct<plies: int>>,
        rules: struct<name: string, variant: string, crawford: boolean, jacoby: boolean, beavers: boolean,
            raccoons: boolean, automatic_doubles: int, cube_limit: int, cube: boolean, backgammon_counts: int,
            holland: boolean, opening_reroll: boolean, clock: string, match_lengths: string>>>,
    findings array<struct<
        match: int, game: int, ply: int, move_number: int, player: int, code: string, level: string,
        message: string, help: string, line: bigint, column: int, end_line: bigint, end_column: int,
        roll: string, written: string, position: string, reported: boolean, stands: boolean,
        legal_count: int, legal: array<string>>>
"""


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="job.py", description=__doc__.split("\n")[0])
    parser.add_argument("input", nargs="+", help="files, folders (walked) or patterns, on any storage that Spark reads")
    parser.add_argument("--output", required=True, metavar="DIR", help="where findings, matches and files are written")
    parser.add_argument("--force", action="store_true", help="replace tables that exist")
    parser.add_argument(
        "--tawla",
        default="tawla",
        metavar="NAME",
        help="the program: the name of one shipped with --files (default: tawla), or its path on every machine",
    )
    parser.add_argument(
        "--options",
        default="",
        metavar="WORDS",
        help="more options of tawla check, such as --options='--rules money --level warning --exit-zero'",
    )
    parser.add_argument(
        "--partition-size",
        default="32m",
        metavar="SIZE",
        help="how much of the archive a task takes at most, larger files excepted (default: 32m)",
    )
    return parser.parse_args()


def worker(name, options):
    """The function that checks the bytes of one file: the exit status, and the line of JSON."""
    words = shlex.split(options)
    if not any(word.startswith("--config") for word in words):
        words.append("--no-config")

    def check(content):
        shipped = SparkFiles.get(name)
        program = shipped if os.path.isfile(shipped) else name
        ran = subprocess.run(
            [program, "check", "--format", "ndjson", *words, "-"], input=bytes(content), capture_output=True
        )
        if ran.stdout:
            return ran.returncode, ran.stdout.decode()
        complaint = ran.stderr.decode(errors="replace").strip()
        if 0 <= ran.returncode <= 2:
            # Not the fault of this file: the command is wrong, and would be for every other.
            raise RuntimeError(f"{program} check {options}: {complaint}")
        # One file on which the program breaks must not stop the archive.
        return 2, json.dumps({"error": f"the program ended with status {ran.returncode}: {complaint}"})

    return f.udf(check, "status int, line string", useArrow=False)


def reports(spark, args):
    """A row a file: path, length in bytes, status, and the report with the fields of REPORT."""
    spark.conf.set("spark.sql.files.maxPartitionBytes", args.partition_size)
    # What opening a file is worth in bytes: starting the program is what a small file costs.
    spark.conf.set("spark.sql.files.openCostInBytes", "512k")
    archive = spark.read.format("binaryFile").option("recursiveFileLookup", True).load(args.input)
    checked = archive.select("path", "length", worker(args.tawla, args.options)("content").alias("checked"))
    report = f.from_json("checked.line", REPORT, {"mode": "FAILFAST"})
    # Three tables come from one run of the program: reports wait on the disks of the machines.
    return checked.select("path", "length", "checked.status", report.alias("report")).persist(StorageLevel.DISK_ONLY)


def tables(reports):
    """The tables by name; that of the files is written last, and has the others behind it."""
    findings = reports.select("path", f.explode("report.findings").alias("finding"))
    matches = reports.select("path", f.posexplode("report.matches").alias("index", "found"))
    plies = f.aggregate("found.games", f.lit(0), lambda sum, game: sum + game.plies)
    return {
        "findings": findings.select("path", "finding.*"),
        "matches": matches.select(
            "path",
            (f.col("index") + 1).alias("match"),
            *(f"found.{name}" for name in ("match_length", "players", "score", "stated_score", "score_if_disallowed")),
            *(f"found.{name}" for name in ("winner", "lost_on_time", "rules")),
            f.size("found.games").alias("games"),
            plies.alias("plies"),
        ),
        "files": reports.select(
            *("path", "length", "status", "report.error", "report.format", "report.dialect", "report.encoding"),
            f.coalesce(f.size("report.matches"), f.lit(0)).alias("matches"),
            f.coalesce(f.size("report.findings"), f.lit(0)).alias("findings"),
        ),
    }


def summary(spark, output):
    """The exit status, and the counts of the `summary` of `tawla check --format json`, read from the tables."""
    files, matches, findings = (spark.read.parquet(f"{output}/{name}") for name in ("files", "matches", "findings"))
    read = files.agg(f.count("*"), f.count("error"), f.coalesce(f.max("status"), f.lit(0))).first()
    played = matches.agg(f.count("*"), f.sum("games"), f.sum("plies")).first()
    levels = dict(findings.groupBy("level").count().collect())
    counts = {"files": read[0], "unread": read[1], "matches": played[0], "games": played[1] or 0}
    counts |= {"plies": played[2] or 0} | {f"{level}s": levels.get(level, 0) for level in ("error", "warning", "note")}
    return read[2], counts


def main():
    """Writes the tables; the worst status of any file is that of the job, as for several inputs of the program."""
    args = arguments()
    try:
        spark = SparkSession.builder.appName("tawla check").getOrCreate()
        for name, table in tables(reports(spark, args)).items():
            table.write.mode("overwrite" if args.force else "errorifexists").parquet(f"{args.output}/{name}")
        status, counts = summary(spark, args.output)
        print(json.dumps(counts))
        spark.stop()
        return status
    except Exception:
        # Python would end with 1, which says that something was found.
        traceback.print_exc()
        return 2


if __name__ == "__main__":
    sys.exit(main())
