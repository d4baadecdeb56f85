#!/usr/bin/env bash
# Measures the command against the programs that do part of the same work, and prints a table.
#
#     tests/bench/run.sh
#
# It builds what it needs, makes the load (random legal matches, always the same) in a folder that is removed at the
# end, and runs each pair of commands one after the other and again: A B A B. The figures are medians; the ratio is
# that of the medians, of CPU time unless the row says otherwise. A program that is not installed has no row.
#
# Settings, as variables of the environment:
#
#     MATCHES   how many files (10000)
#     STREAM    how many matches in the one long file (20000)
#     ROUNDS    how many times each command is run (5)
#     STARTS    how many starts of a program are one run (20)
#     PEERS     0 leaves out the libraries (tests/bench/peers)
#     WORK      a folder for the load instead of a temporary one; it is kept
set -euo pipefail
cd "$(dirname "$0")/../.."

matches=${MATCHES:-10000} stream=${STREAM:-20000} rounds=${ROUNDS:-5} starts=${STARTS:-20} peers=${PEERS:-1}
target=${CARGO_TARGET_DIR:-target}

cargo build --release --quiet --bin tawla --example load
load=$target/release/examples/load
gnubg=$(command -v gnubg || command -v /usr/games/gnubg || true)

if [ -n "${WORK:-}" ]; then
    work=$WORK
    mkdir -p "$work"
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
# A copy, which is what is installed: what a linker has written lies scattered in memory, and starts a tenth slower.
tawla=$work/tawla
cp "$target/release/tawla" "$tawla"
files=$work/files long=$work/long.mat
[ -d "$files" ] || "$load" matches "$matches" "$files" >/dev/null
[ -e "$long" ] || "$load" stream "$stream" "$long" >/dev/null
one=$files/match-000000.mat

# What gnubg is told on its standard input: each file is imported, and saved if a folder is given.
gnubg_commands() {
    echo "set confirm new off"
    for file in "$files"/*.mat; do
        echo "import mat \"$file\""
        [ $# -eq 0 ] || echo "save match \"$1/$(basename "$file" .mat).sgf\""
    done
    printf 'quit\ny\n'
}
printf 'quit\ny\n' >"$work/gnubg-start.txt"
gnubg_commands >"$work/gnubg-import.txt"
mkdir -p "$work/sgf"
gnubg_commands "$work/sgf" >"$work/gnubg-convert.txt"

# The commands; each is run as a whole. Findings, status 1, are no failure.
check_files() { "$tawla" check --quiet --jobs 1 "$files"; }
check_files_together() { "$tawla" check --quiet "$files"; }
check_long() { "$tawla" check --quiet - <"$long"; }
convert_files() { "$tawla" convert --quiet --jobs 1 --to sgf "$files"; }
read_files() { "$load" read "$files"; }
count_lines() { wc -l <"$long"; }
gnubg_start() { "$gnubg" -t -q -r <"$work/gnubg-start.txt"; }
gnubg_import() { "$gnubg" -t -q -r <"$work/gnubg-import.txt"; }
gnubg_convert() { "$gnubg" -t -q -r <"$work/gnubg-convert.txt"; }
check_one() { for ((i = 0; i < starts; i++)); do "$tawla" check --quiet "$one"; done; }
gnubg_starts() { for ((i = 0; i < starts; i++)); do gnubg_start; done; }

# The seconds of a run: `cpu` (of the user and of the system) or `wall`.
seconds() {
    local TIMEFORMAT='%R %U %S' kind=$1
    shift
    { time "$@" >/dev/null 2>/dev/null || true; } 2>&1 |
        awk -v kind="$kind" '{ print kind == "wall" ? $1 : $2 + $3 }'
}

median() { printf '%s\n' "$@" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# One row: KIND, the title, OURS, THEIRS, how the ratio is taken (`faster`: theirs to ours, `part`: ours to theirs),
# what to reach, and seconds of the start that do not count as work of theirs.
row() {
    local kind=$1 title=$2 ours=$3 theirs=$4 way=$5 reach=$6 start=${7:-0} a=() b=()
    for ((round = 0; round < rounds; round++)); do
        a+=("$(seconds "$kind" "$ours")")
        b+=("$(seconds "$kind" "$theirs")")
    done
    awk -v a="$(median "${a[@]}")" -v b="$(median "${b[@]}")" -v start="$start" -v way="$way" -v title="$title" \
        -v reach="$reach" 'BEGIN {
            b -= start
            if (a <= 0 || b <= 0) ratio = "too short"
            else ratio = sprintf("%.2f", way == "faster" ? b / a : a / b)
            printf "%-62s %9.3f %9.3f %9s  %s\n", title, a, b, ratio, reach
        }'
}

printf '%s files, %s bytes; %s matches in one file, %s bytes\n\n' "$(find "$files" -name '*.mat' | wc -l)" \
    "$(find "$files" -name '*.mat' -exec cat {} + | wc -c)" "$stream" "$(wc -c <"$long")"
printf '%-62s %9s %9s %9s  %s\n' "" "tawla, s" "other, s" ratio reach
row cpu "one long file: check, part of wc -l" check_long count_lines part "at most 12"
row cpu "files: check, part of opening, reading and closing them" check_files read_files part "at most 4"
if [ -n "$gnubg" ]; then
    starts_cpu=() starts_wall=()
    for ((round = 0; round < rounds; round++)); do
        starts_cpu+=("$(seconds cpu gnubg_start)")
        starts_wall+=("$(seconds wall gnubg_start)")
    done
    start=$(median "${starts_cpu[@]}") wall=$(median "${starts_wall[@]}")
    row cpu "files: check, faster than the import of gnubg" check_files gnubg_import faster "at least 10" "$start"
    row wall "the same by the clock, on all cores" check_files_together gnubg_import faster "at least 18" "$wall"
    row cpu "files: convert to sgf, faster than gnubg" convert_files gnubg_convert faster "at least 12" "$start"
    row cpu "one file, $starts times, faster than the start of gnubg" check_one gnubg_starts faster "at least 50"
fi
if [ -x /usr/bin/time ]; then
    printf '%-62s %9s kB %17s  %s\n' "one long file: most memory" \
        "$(/usr/bin/time -f %M "$tawla" check --quiet "$long" 2>&1 >/dev/null | tail -n 1)" "" "at most 16384"
fi

if [ "$peers" != 0 ]; then
    echo
    cargo run --release --quiet --manifest-path tests/bench/peers/Cargo.toml --target-dir "$target/peers"
fi
