"""What the Python programs share: where the stack is, the browser, and the lines that a program reports."""

import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BASE_URL = os.environ["BASE_URL"]
MASTER_TOKEN = os.environ["MASTER_TOKEN"]
OWN_URL = f"http://127.0.0.1:{os.environ['PORT']}"
CALLBACK = f"{OWN_URL}/callback"


class StepFailed(Exception):
    """A step failed and was reported: what builds on it is left out."""


def run(distribution: str, *flows: Callable[[], None]) -> None:
    """Reports the version of the library and runs each flow to its end or to its first failing step."""
    _report(version=version(distribution))
    for flow in flows:
        try:
            flow()
        except StepFailed:
            pass


@contextmanager
def step(name: str) -> Iterator[None]:
    """Reports whether what stands in the block worked. @throws StepFailed"""
    try:
        yield
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        _report(step=name, worked=False, note=_text_of(error))
        raise StepFailed(name) from error
    _report(step=name, worked=True)


@contextmanager
def refused(name: str, sentence: str) -> Iterator[None]:
    """Reports what cannot work, with the sentence in which the product says why. @throws StepFailed without it"""
    try:
        yield
    except Exception as error:
        if sentence in _text_of(error):
            _report(step=name, worked=False, refusal=sentence)
            return
        with step(name):
            raise
    _report(step=name, worked=True)


def check(condition: object, otherwise: object) -> None:
    """Fails the step with what was found instead."""
    if not condition:
        raise AssertionError(f"found {otherwise}")


def register(**metadata: Any) -> dict[str, Any]:
    """Registers a client as an operator does, with the master token."""
    return post(f"{BASE_URL}/clients", metadata, MASTER_TOKEN)


def issue(**grant: Any) -> str:
    """Issues an access token, or an initial access token, as an operator does."""
    return post(f"{BASE_URL}/direct-authz", grant, MASTER_TOKEN)["access_token"]


def visit(url: str, **decisions: str) -> dict[str, Any]:
    """Opens an address in the browser; it logs in, consents and goes on for the user."""
    return post(f"{os.environ['BROWSER_URL']}/visit", {"url": url, **decisions})


def post(url: str, body: dict[str, Any], token: str | None = None) -> dict[str, Any]:
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    try:
        with urlopen(Request(url, json.dumps(body).encode(), headers)) as response:
            return json.load(response)
    except HTTPError as error:
        raise RuntimeError(f"{error.code} {error.read().decode()}") from error


def _text_of(error: BaseException) -> str:
    """The text of an error, or of each in a group."""
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(_text_of(one) for one in error.exceptions)
    return f"{type(error).__name__}: {error}"


def _report(**line: object) -> None:
    print(json.dumps(line), flush=True)
