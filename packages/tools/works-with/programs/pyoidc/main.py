"""pyoidc: a relying party as https://pyoidc.readthedocs.io/en/latest/howto/rp.html makes it."""

from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

from oic import rndstr
from oic.oic import Client
from oic.oic.message import (
    AccessTokenResponse,
    AuthorizationResponse,
    EndSessionRequest,
    OpenIDSchema,
    RegistrationResponse,
)
from oic.utils.authn.client import CLIENT_AUTHN_METHOD
from oic.utils.keyio import build_keyjar

from report import BASE_URL, CALLBACK, OWN_URL, check, run, step, visit

SCOPE = ["openid", "profile", "offline_access"]
KEYS = [{"type": "RSA", "use": ["sig"]}]


def code_flow():
    client = Client(client_authn_method=CLIENT_AUTHN_METHOD)
    with step("discovery"):
        provider = client.provider_config(BASE_URL)
    with step("register"):
        registered = client.register(
            provider["registration_endpoint"],
            redirect_uris=[CALLBACK],
            post_logout_redirect_uris=[OWN_URL],
            grant_types=["authorization_code", "refresh_token"],
            contacts=["foo@example.com"],
        )
        check(isinstance(registered, RegistrationResponse), registered)
    with step("read the registration"):
        read = client.registration_read()
        check(isinstance(read, RegistrationResponse), read)
    with step("login"):
        state = log_in(client, "code")
        tokens = client.do_access_token_request(
            state=state,
            request_args={"redirect_uri": CALLBACK},
            authn_method="client_secret_basic",
        )
        check(isinstance(tokens, AccessTokenResponse), tokens)
        check(tokens["id_token"]["nonce"] == state, tokens["id_token"])
    with step("userinfo"):
        claims = client.do_user_info_request(state=state)
        check(isinstance(claims, OpenIDSchema) and claims["sub"] == "alice", claims)
    with step("refresh"):
        tokens = client.do_access_token_refresh(state=state, authn_method="client_secret_basic")
        check(isinstance(tokens, AccessTokenResponse), tokens)
    with step("logout"):
        request = client.construct_EndSessionRequest(
            state=state, request_args={"post_logout_redirect_uri": OWN_URL}
        )
        page = visit(request.request(client.end_session_endpoint), session="code")
        check(page["url"].startswith(OWN_URL), page)


def implicit_flow():
    client = Client(client_authn_method=CLIENT_AUTHN_METHOD)
    provider = client.provider_config(BASE_URL)
    with step("login, implicit"):
        client.register(
            provider["registration_endpoint"],
            redirect_uris=[CALLBACK],
            response_types=["id_token token"],
            grant_types=["implicit"],
            application_type="native",
        )
        server = HTTPServer(("127.0.0.1", int(CALLBACK.split(":")[2].split("/")[0])), Callback)
        Thread(target=server.serve_forever, daemon=True).start()
        log_in(client, "id_token token")
        server.shutdown()


class Callback(BaseHTTPRequestHandler):
    """A page at the redirect URI: the response lies in the fragment of its address."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()


def client_secret_jwt():
    with step("client_secret_jwt"):
        log_in_with(Client(client_authn_method=CLIENT_AUTHN_METHOD), "client_secret_jwt")


def private_key_jwt():
    with step("private_key_jwt"):
        jwks, keyjar, _ = build_keyjar(KEYS)
        client = Client(client_authn_method=CLIENT_AUTHN_METHOD, keyjar=keyjar)
        log_in_with(client, "private_key_jwt", jwks=jwks)


def log_in_with(client, method, **metadata):
    provider = client.provider_config(BASE_URL)
    registered = client.register(
        provider["registration_endpoint"],
        redirect_uris=[CALLBACK],
        token_endpoint_auth_method=method,
        **metadata,
    )
    check(isinstance(registered, RegistrationResponse), registered)
    state = log_in(client, "code")
    tokens = client.do_access_token_request(
        state=state, request_args={"redirect_uri": CALLBACK}, authn_method=method
    )
    check(isinstance(tokens, AccessTokenResponse), tokens)


def log_in(client, response_type):
    """Gives the state of the login; here it is the nonce too."""
    state = rndstr()
    request = client.construct_AuthorizationRequest(
        request_args={
            "client_id": client.client_id,
            "response_type": response_type.split(),
            "scope": SCOPE if response_type == "code" else ["openid"],
            "prompt": "consent",
            "nonce": state,
            "redirect_uri": client.registration_response["redirect_uris"][0],
            "state": state,
        }
    )
    page = visit(request.request(client.authorization_endpoint), session=response_type)
    _, _, answer = page["url"].partition("?" if response_type == "code" else "#")
    response = client.parse_response(AuthorizationResponse, info=answer, sformat="urlencoded")
    check(isinstance(response, AuthorizationResponse) and response["state"] == state, page)
    return state


run("oic", code_flow, implicit_flow, client_secret_jwt, private_key_jwt)
