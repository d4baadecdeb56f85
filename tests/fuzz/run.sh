#!/usr/bin/env bash
# Runs fuzz targets and adds what was done to a log.
#
#     tests/fuzz/run.sh build            the targets
#     tests/fuzz/run.sh seeds            the first inputs, from the fixtures
#     tests/fuzz/run.sh SECONDS TARGET.. each target for so many seconds, in chunks, in turn
#     tests/fuzz/run.sh table            executions, hours and finds a target, from the log
#     tests/fuzz/run.sh small TARGET..   the corpus without what adds nothing
#
# FUZZ_DIR holds corpus, artifacts, log and build (tests/fuzz by default). A chunk that ends with a find is one line
# with the name of the input; the next chunk of that target goes on, so that one find does not hide the others.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
dir=${FUZZ_DIR:-$here}
build=$dir/target
bin=$build/x86_64-unknown-linux-gnu/release
log=$dir/fuzz.log
chunk=${FUZZ_CHUNK:-300}

# The sanitizers of memory have nothing to find: the package forbids unsafe code. Assertions and overflow checks are on.
case ${1:-} in
build)
    cd "$here/../.."
    RUSTC_BOOTSTRAP=1 cargo fuzz build --fuzz-dir tests/fuzz -s none -O -a --target-dir "$build"
    exit ;;
seeds)
    cd "$here"
    cargo run --quiet --example seeds --target-dir "$build" -- ../../fixtures "$dir/corpus"
    exit ;;
table)
    awk '{ runs[$2] += $3; secs[$2] += $4; if ($5 != "-") finds[$2]++ }
        END { for (t in runs) printf "%-12s %12d %8.2f h %3d\n", t, runs[t], secs[t] / 3600, finds[t] }' "$log" | sort
    exit ;;
small)
    shift
    for target in "$@"; do
        mkdir -p "$dir/small/$target"
        "$bin/$target" -merge=1 -max_len=66000 -rss_limit_mb=512 "$dir/small/$target" "$dir/corpus/$target" 2>/dev/null
        rm -rf "$dir/corpus/$target"
        mv "$dir/small/$target" "$dir/corpus/$target"
    done
    exit ;;
'') sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac

seconds=$1
shift
longest() { case $1 in xg) echo 40000 ;; ids | plays | options | digit) echo 400 ;; *) echo 8000 ;; esac; }
for ((done = 0; done < seconds; done += chunk)); do
    for target in "$@"; do
        mkdir -p "$dir/corpus/$target" "$dir/artifacts/$target"
        out=$dir/last-$target.txt
        # Processor seconds: what a chunk is worth does not depend on what else the machine does.
        TIMEFORMAT=%U
        { time "$bin/$target" -rss_limit_mb=512 -timeout=60 -max_len="$(longest "$target")" -len_control=20 \
            -max_total_time="$chunk" -report_slow_units=60 -print_final_stats=1 -dict="$here/words.dict" \
            -artifact_prefix="$dir/artifacts/$target/" "$dir/corpus/$target" >"$out" 2>&1 || true; } 2>"$out.time"
        seconds_used=$(tail -n 1 "$out.time")
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$out")
        # A find ends the process before its statistics: the last line of progress tells.
        [ -n "$runs" ] || runs=$(grep -oE '^#[0-9]+' "$out" | tail -n 1 | tr -d '#')
        find=$(sed -n 's/.*Test unit written to //p' "$out" | tail -n 1)
        echo "$(date -u +%FT%TZ) $target ${runs:-0} ${seconds_used%.*} ${find:--}" >>"$log"
    done
done
