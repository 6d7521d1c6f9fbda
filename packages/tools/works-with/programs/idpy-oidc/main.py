"""idpy-oidc: its RP handler, as https://idpy-oidc.readthedocs.io/en/latest/client/rp_handler.html shows it."""

import logging
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from threading import Thread
from urllib.parse import parse_qsl, urlsplit

from idpyoidc.client.defaults import DEFAULT_OIDC_SERVICES
from idpyoidc.client.exception import OidcServiceError
from idpyoidc.client.rp_handler import RPHandler

from report import BASE_URL, CALLBACK, OWN_URL, check, refused, register, run, step, visit

SERVICES = {
    **DEFAULT_OIDC_SERVICES,
    "end_session": {"class": "idpyoidc.client.oidc.end_session.EndSession"},
}
PKCE = {
    "function": "idpyoidc.client.oauth2.add_on.pkce.add_support",
    "kwargs": {"code_challenge_length": 64, "code_challenge_method": "S256"},
}

# The library says in its log what an error response describes.
LOG = StringIO()
logging.getLogger("idpyoidc.client.oauth2").addHandler(logging.StreamHandler(LOG))

# The handler writes its public keys to static/jwks.json and names their address.
SITE = ThreadingHTTPServer(("127.0.0.1", urlsplit(OWN_URL).port), SimpleHTTPRequestHandler)
Thread(target=SITE.serve_forever, daemon=True).start()


def dynamic_registration():
    rp = handler()
    with step("discovery, register"):
        client = rp.client_setup(BASE_URL)
        check(client.get_context().claims.get_usage("client_id"), client.get_context().claims.use)
    with step("login, userinfo"):
        log_in(rp)


def dynamic_registration_with_assertions():
    with refused(
        "private_key_jwt, registered by itself", "client_assertion: sub must be the client_id"
    ):
        rp = handler(
            client_authn_methods=["private_key_jwt"],
            preference={"token_endpoint_auth_methods_supported": ["private_key_jwt"]},
        )
        try:
            log_in(rp)
        except OidcServiceError as error:
            raise RuntimeError(f"{error}; {LOG.getvalue()}") from error


def static_registration():
    client = register(
        redirect_uris=[CALLBACK],
        post_logout_redirect_uris=[OWN_URL],
        grant_types=["authorization_code", "refresh_token"],
        scope="openid profile offline_access",
    )
    rp = handler(
        client_id=client["client_id"],
        client_secret=client["client_secret"],
        client_authn_methods=["client_secret_basic"],
    )
    with step("login, registered by the operator"):
        state = log_in(rp, scope=["openid", "profile", "offline_access"])
    with step("refresh"):
        rp.refresh_access_token(state)
    with step("logout"):
        request = rp.logout(state, post_logout_redirect_uri=OWN_URL)
        page = visit(request["url"])
        check(page["url"].startswith(OWN_URL), page)


def client_secret_jwt():
    with step("client_secret_jwt"):
        client = register(redirect_uris=[CALLBACK], token_endpoint_auth_method="client_secret_jwt")
        rp = handler(
            client_id=client["client_id"],
            client_secret=client["client_secret"],
            client_authn_methods=["client_secret_jwt"],
            preference={"token_endpoint_auth_methods_supported": ["client_secret_jwt"]},
        )
        # Of what the provider supports the library takes the first for which it has a key, here one of RSA.
        context = rp.client_setup(BASE_URL).get_context()
        context.set_usage("token_endpoint_auth_signing_alg", "HS256")
        log_in(rp)


def private_key_jwt():
    with step("private_key_jwt"):
        client = register(
            redirect_uris=[CALLBACK],
            token_endpoint_auth_method="private_key_jwt",
            jwks_uri=f"{OWN_URL}/static/jwks.json",
        )
        log_in(
            handler(
                client_id=client["client_id"],
                client_authn_methods=["private_key_jwt"],
                preference={"token_endpoint_auth_methods_supported": ["private_key_jwt"]},
            )
        )


def handler(preference=None, **client):
    return RPHandler(
        base_url=OWN_URL,
        services=SERVICES,
        client_configs={
            "": {
                "issuer": BASE_URL,
                "client_type": "oidc",
                "redirect_uris": [CALLBACK],
                "preference": {
                    "response_types_supported": ["code"],
                    "scopes_supported": ["openid", "profile", "offline_access"],
                    **(preference or {}),
                },
                "add_ons": {"pkce": PKCE},
                **client,
            }
        },
    )


def log_in(rp, **request):
    """Gives the state of the login."""
    page = visit(rp.begin(BASE_URL, req_args={"prompt": "consent", **request}))
    result = rp.finalize(BASE_URL, dict(parse_qsl(urlsplit(page["url"]).query)))
    check(result.get("userinfo", {}).get("sub") == "alice", result)
    return result["state"]


run(
    "idpyoidc",
    dynamic_registration,
    dynamic_registration_with_assertions,
    static_registration,
    client_secret_jwt,
    private_key_jwt,
)
