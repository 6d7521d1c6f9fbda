"""Schemathesis: a few hundred requests made up from each API document, each response held against the document."""

import json
import os
import subprocess
import sys

from report import BASE_URL, MASTER_TOKEN, check, register, run, step

CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
]
EVERY_PHASE = "examples,coverage,fuzzing"
REQUESTS_PER_OPERATION = 20


def with_master_token(name, phases):
    def test():
        with step(name):
            test_document(name, phases, ["-H", f"Authorization: Bearer {MASTER_TOKEN}"])

    return test


def introspection():
    with step("introspection"):
        api = register(grant_types=["client_credentials"], scope=f"{BASE_URL}/token/introspect")
        credentials = ["-a", f"{api['client_id']}:{api['client_secret']}"]
        test_document("introspection", EVERY_PHASE, credentials)


def test_document(name, phases, credentials):
    report = f"{name}.json"
    command = [
        ".venv/bin/schemathesis",
        "run",
        f"{BASE_URL}/.well-known/openapi/{name}.json",
        *credentials,
        *("--phases", phases),
        *("-n", str(REQUESTS_PER_OPERATION)),
        *("--seed", "1"),
        *("-c", ",".join(CHECKS)),
        *("--report", "json"),
        *("--report-json-path", report),
    ]
    environment = {**os.environ, "SCHEMATHESIS_HOOKS": "hooks"}
    ended = subprocess.run(command, env=environment, stdout=sys.stderr)
    with open(report) as file:
        results = json.load(file)
    print(f"{name}: {results['test_cases']}", file=sys.stderr)
    check(ended.returncode == 0, results["failures"] or results["errors"])
    check(results["operations"]["tested"] == results["operations"]["total"], results["operations"])


run(
    "schemathesis",
    # Its members are so many that covering each takes thousands of requests.
    with_master_token("registration", "examples,fuzzing"),
    introspection,
    with_master_token("logout", EVERY_PHASE),
    with_master_token("federation", EVERY_PHASE),
    with_master_token("authorization", EVERY_PHASE),
)
