#!/usr/bin/env bash
# Fuzzes the service by its own OpenAPI document with Schemathesis, and validates the document. Findings make it fail.
#
#   tests/fuzz.sh [EXAMPLES]    examples of each operation, 25 where none are given
#
# Needs Python with venv and pip (exit code 75 without them); what is installed stays below target/. SWITCHBOARD names
# another binary to fuzz.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

examples=${1:-25}
tools=target/fuzz
if ! "$tools/bin/st" --version >/dev/null 2>&1; then
    python3 -m venv "$tools" &&
        "$tools/bin/pip" install --quiet 'schemathesis>=4.32,<5' 'openapi-spec-validator>=0.8,<1' || {
        echo "fuzz: Python with venv and pip, and a package index, are needed" >&2
        exit 75
    }
fi
if [ -z "${SWITCHBOARD:-}" ]; then
    cargo build --locked
    SWITCHBOARD=target/debug/switchboard
fi

work=$(mktemp -d)
# Not a sandbox: nobody lives in it, and no number chooses a broken connection. So runs are alike.
"$SWITCHBOARD" serve --listen 127.0.0.1:0 --data :memory: --world config/worlds/demo.toml >"$work/ready" 2>"$work/log" &
service=$!
trap 'kill "$service" 2>/dev/null || true; wait "$service" || true; rm -rf "$work"' EXIT
until [ "$(wc -l <"$work/ready")" -ge 2 ]; do
    kill -0 "$service" || { cat "$work/log" >&2; exit 1; }
    sleep 0.1
done
# shellcheck disable=SC1091
source "$work/ready"

"$SWITCHBOARD" openapi --sandbox >"$work/openapi.json"
"$tools/bin/openapi-spec-validator" "$work/openapi.json"

# One worker and one seed: the same requests in the same order each time.
fuzz() {
    timeout 110 "$tools/bin/st" run "$SWITCHBOARD_BASE_URL/openapi.json" \
        --url "$SWITCHBOARD_BASE_URL" --header "Authorization: Bearer $SWITCHBOARD_TOKEN" \
        --seed 1 --request-timeout 10 --workers 1 \
        --continue-on-failure --generation-database none --max-examples "$examples" "$@"
}
# Every check but two: data of the right form can still name what the caller does not have (404, 422), and of a
# parameter that is given several times only the last counts.
fuzz --exclude-operation-id deleteApiKey --exclude-operation-id sendFreeform \
    --exclude-checks positive_data_acceptance,negative_data_rejection
# Apart: the platform answers 503 where the sender is offline, and so do we.
fuzz --include-operation-id sendFreeform --phases fuzzing \
    --exclude-checks positive_data_acceptance,negative_data_rejection,not_a_server_error
# A wrong body is always refused.
fuzz --include-method POST --include-method PUT --exclude-operation-id logIn \
    --checks negative_data_rejection --mode negative --phases fuzzing
# Last and alone: it deletes the key that the fuzzer calls with.
fuzz --include-operation-id deleteApiKey --phases fuzzing
