"""mozilla-django-oidc: a login and a logout at a Django site that is made as its quick start says."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from report import BASE_URL, OWN_URL, check, register, run, step, visit

CLIENT = {
    "client_name": "Django",
    "redirect_uris": [f"{OWN_URL}/oidc/callback/"],
    "post_logout_redirect_uris": [f"{OWN_URL}/"],
    "token_endpoint_auth_method": "client_secret_post",
}
RS256 = {"OIDC_RP_SIGN_ALGO": "RS256", "OIDC_OP_JWKS_ENDPOINT": f"{BASE_URL}/jwks.json"}


def with_rs256():
    with site(register(**CLIENT), RS256):
        with step("login"):
            log_in("rs256")
        with step("logout"):
            page = visit(f"{OWN_URL}/oidc/logout/", session="rs256")
            check(page["text"] == "logged out" and page["url"] == f"{OWN_URL}/", page)


def with_pkce_and_basic():
    client = register(**{**CLIENT, "token_endpoint_auth_method": "client_secret_basic"})
    with site(client, {**RS256, "OIDC_USE_PKCE": True, "OIDC_TOKEN_USE_BASIC_AUTH": True}):
        with step("login, OIDC_USE_PKCE and OIDC_TOKEN_USE_BASIC_AUTH"):
            log_in("pkce")


def with_hs256():
    """The default of the library."""
    with site(register(**CLIENT, id_token_signed_response_alg="HS256"), {}):
        with step("login, ID tokens with HS256"):
            log_in("hs256")


def log_in(session):
    page = visit(f"{OWN_URL}/oidc/authenticate/", session=session)
    check(page["text"].startswith("logged in as alice@"), page)


@contextmanager
def site(client, settings):
    """Runs the site for a client over an empty database."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "settings",
        "PYTHONPATH": os.pathsep.join([os.getcwd(), os.environ.get("PYTHONPATH", "")]),
        "OIDC_RP_CLIENT_ID": client["client_id"],
        "OIDC_RP_CLIENT_SECRET": client["client_secret"],
        "OIDC_SETTINGS": json.dumps(settings),
    }
    django = [sys.executable, "-m", "django"]
    Path("site.sqlite3").unlink(missing_ok=True)
    subprocess.run([*django, "migrate"], env=environment, check=True, stdout=sys.stderr)
    server = subprocess.Popen(
        [*django, "runserver", "--noreload", OWN_URL.removeprefix("http://")],
        env=environment,
        stdout=sys.stderr,
    )
    try:
        wait_until_served()
        yield
    finally:
        server.terminate()
        server.wait()


def wait_until_served():
    for _ in range(100):
        try:
            urlopen(OWN_URL).close()
            return
        except URLError:
            time.sleep(0.1)
    raise TimeoutError("the site does not answer")


run("mozilla-django-oidc", with_rs256, with_pkce_and_basic, with_hs256)
