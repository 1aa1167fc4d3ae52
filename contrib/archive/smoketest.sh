#!/usr/bin/env bash
# Says whether Braid works here: it proves one program, and finds the error of another.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

check() {
    local answer status=0
    answer=$("$folder/bin/braid" verify --svcomp --property "$folder/smoketest/unreach-call.prp" --timeout 60s \
        --witness "$scratch/witness.yml" "$folder/smoketest/$1" | tail -n 1) || status=$?
    if [ "$answer" != "$2" ] || [ "$status" -ne "$3" ] || [ ! -s "$scratch/witness.yml" ]; then
        echo "smoketest: $1: expected $2, got $answer (status $status)" >&2
        exit 1
    fi
    echo "smoketest: $1: $answer"
}

check locked.i true 0
check unlocked.i "false(unreach-call)" 10
