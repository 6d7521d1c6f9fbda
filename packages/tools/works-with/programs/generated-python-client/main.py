"""openapi-python-client: a client generated from the served API documents, type-checked, and used against the stack."""

import subprocess
import sys
from shutil import rmtree

from report import BASE_URL, check, run, step

SERVICES = ["registration", "introspection", "authorization"]


def tool(name: str, *parameters: str) -> None:
    """Runs a program of the dependencies; its output says what is wrong."""
    ended = subprocess.run([f".venv/bin/{name}", *parameters], capture_output=True, text=True)
    print(ended.stdout, ended.stderr, file=sys.stderr)
    check(ended.returncode == 0, ended.stdout + ended.stderr)


def generate() -> None:
    with step("generate from the served API documents"):
        for service in SERVICES:
            rmtree(service, ignore_errors=True)
            document = f"{BASE_URL}/.well-known/openapi/{service}.json"
            tool("openapi-python-client", "generate", "--url", document, "--meta", "none", "--output-path", service)


def type_check() -> None:
    with step("type-check (mypy --strict)"):
        # What it shares with other programs is not held to that.
        tool("mypy", "--strict", "--follow-imports", "silent", "exchange.py", *SERVICES)


def use() -> None:
    from exchange import exchange

    exchange()


run("openapi-python-client", generate, type_check, use)
