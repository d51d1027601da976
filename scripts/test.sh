#!/bin/bash
# Runs `swift test` with the given arguments. Prints failures, skipped tests with their reasons, and the
# summary; the complete output goes to LOG (.build/tests.log).
set -uo pipefail
# The Makefile sets it for builds; what is tested runs as it does for users.
unset SWIFT_DETERMINISTIC_HASHING
log=${LOG:-.build/tests.log}
mkdir -p "$(dirname "$log")"
terminal=no
[ -t 2 ] && terminal=yes

stdbuf -oL swift test "$@" 2>&1 | tee "$log" | awk -v terminal=$terminal -v log_file="$log" '
    { gsub(/\033\[[0-9;]*m/, "") }
    function cut(line) { return length(line) > 300 ? substr(line, 1, 300) "…" : line }
    # The first lines of the details of an issue.
    tail > 0 && (/^↳/ || /^±/ || /^   */) { tail--; issues = issues "\n  " cut($0); next }
    { tail = 0 }
    /^✘ .*recorded an issue/ {
        if (++found <= 40) { issues = issues "\n" cut($0); tail = 4 }
    }
    /error:/ || /Fatal error/ || /^==[0-9]+==(ERROR|WARNING)/ || /^WARNING: ThreadSanitizer/ {
        if (!/^(◇|✔|✘|➜|↳)/ && ++faults <= 20) issues = issues "\n" cut($0)
    }
    /^➜ / { skipped = skipped "\n" cut($0); skips++ }
    /^(✔|✘) Test .* (passed|failed) after/ {
        done++
        if (terminal == "yes") printf "\r%d tests done", done > "/dev/stderr"
    }
    /^(✔|✘) Test run with/ { closing = $0 }
    END {
        if (terminal == "yes") printf "\r\033[K" > "/dev/stderr"
        if (skips) printf "Skipped:%s\n\n", skipped
        if (issues) {
            printf "Failed:%s\n", issues
            if (found > 40) printf "… and %d more.\n", found - 40
            printf "Complete log: %s\n\n", log_file
        }
        printf "%d tests skipped.\n", skips
        print closing ? closing : "The test run did not finish; see " log_file "."
        exit closing ? 0 : 1
    }'
