"""Checks an archive of transcripts on Apache Spark: files in, tables of findings, matches and files out.

    spark-submit --files target/release/tawla tests/cluster/job.py --output tables archive/

Each file goes through `tawla check --format ndjson -` of its own, on whatever machine holds the partition, and the
JSON is taken apart by Spark. What decides about rules, formats and findings is the program; the job only deals out
and collects. A file is a transcript or a stream of many of them. It is the unit of work, and its report is one line
with all of its findings, so an archive is best kept in streams of 1 to 32 MB: below that the start of the program
counts, above it the memory of a worker, which holds a whole file and its report at a time.

The extension of a file is not seen by the program, and no `tawla.toml` is looked for: what must be said of the
archive is said once, with `--options`. Files and folders whose names start with `.` or `_` are passed over, as Spark
does everywhere; those that are no transcripts are rows of the table of files with an error, empty ones too.
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
# Numbers are unsigned there, and Spark has signed ones only: whatever is written in a transcript fits a bigint.
REPORT = """
    format string, dialect string, encoding string, error string,
    matches array<struct<
        match_length: bigint, players: array<string>, score: array<bigint>, stated_score: array<bigint>,
        score_if_disallowed: array<bigint>, winner: bigint, lost_on_time: bigint, games: array<struct<plies: bigint>>,
        rules: struct<name: string, variant: string, crawford: boolean, jacoby: boolean, beavers: boolean,
            raccoons: boolean, automatic_doubles: bigint, cube_limit: bigint, cube: boolean, backgammon_counts: bigint,
            holland: boolean, opening_reroll: boolean, clock: string, match_lengths: string>>>,
    findings array<struct<
        match: bigint, game: bigint, ply: bigint, move_number: bigint, player: bigint, code: string, level: string,
        message: string, help: string, line: bigint, column: bigint, end_line: bigint, end_column: bigint,
        roll: string, written: string, position: string, reported: boolean, stands: boolean,
        legal_count: bigint, legal: array<string>>>
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
    """The function that checks a file: its path and length, the exit status, and the line of JSON."""
    words = shlex.split(options)
    if not any(word.startswith("--config") for word in words):
        words.append("--no-config")

    def check(file):
        path, content = file
        shipped = SparkFiles.get(name)
        program = shipped if os.path.isfile(shipped) else name
        ran = subprocess.run(
            [program, "check", "--format", "ndjson", *words, "-"], input=content, capture_output=True
        )
        if ran.stdout:
            return path, len(content), ran.returncode, ran.stdout.decode()
        complaint = ran.stderr.decode(errors="replace").strip()
        if 0 <= ran.returncode <= 2:
            # Not the fault of this file: the command is wrong, and would be for every other.
            raise RuntimeError(f"{program} check {options}: {complaint}")
        # One file on which the program breaks must not stop the archive.
        line = json.dumps({"error": f"the program ended with status {ran.returncode}: {complaint}"})
        return path, len(content), 2, line

    return check


def session(partition_size):
    """Spark, with what reading an archive needs."""
    builder = SparkSession.builder.appName("tawla check")
    builder = builder.config("spark.files.maxPartitionBytes", partition_size)
    # Folders are walked.
    builder = builder.config("spark.hadoop.mapreduce.input.fileinputformat.input.dir.recursive", "true")
    return builder.getOrCreate()


def reports(spark, args):
    """A row a file: path, length in bytes, status, and the report with the fields of REPORT."""
    # Data frames of binary files leave out the empty ones and hold a hundred in memory; this hands over one by one.
    archive = spark.sparkContext.binaryFiles(",".join(args.input))
    checked = archive.map(worker(args.tawla, args.options))
    rows = spark.createDataFrame(checked, "path string, length bigint, status int, line string")
    report = f.from_json("line", REPORT, {"mode": "FAILFAST"})
    # Three tables come from one run of the program: reports wait on the disks of the machines.
    return rows.select("path", "length", "status", report.alias("report")).persist(StorageLevel.DISK_ONLY)


def tables(reports):
    """The tables by name; that of the files is written last, and has the others behind it."""
    findings = reports.select("path", f.explode("report.findings").alias("finding"))
    matches = reports.select("path", f.posexplode("report.matches").alias("index", "found"))
    plies = f.aggregate("found.games", f.lit(0).cast("bigint"), lambda sum, game: sum + game.plies)
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
        spark = session(args.partition_size)
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
