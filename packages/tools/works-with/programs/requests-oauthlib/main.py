"""requests-oauthlib: its flows, as https://requests-oauthlib.readthedocs.io/en/latest/oauth2_workflow.html shows them."""

import os

from oauthlib.oauth2 import BackendApplicationClient, TokenExpiredError
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

from report import BASE_URL, CALLBACK, check, refused, register, run, step, visit

# The stack speaks http here; its address is the same in production, with https.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

AUTHORIZE = f"{BASE_URL}/authorize"
TOKEN = f"{BASE_URL}/token"
USERINFO = f"{BASE_URL}/userinfo"
SCOPE = ["openid", "profile", "offline_access"]


def web_application():
    app = register(
        client_name="Web application",
        redirect_uris=[CALLBACK],
        grant_types=["authorization_code", "refresh_token"],
        scope=" ".join(SCOPE),
    )
    secret = app["client_secret"]
    oauth = OAuth2Session(app["client_id"], redirect_uri=CALLBACK, scope=SCOPE)
    with step("login"):
        url, _ = oauth.authorization_url(AUTHORIZE, prompt="consent")
        token = oauth.fetch_token(
            TOKEN, authorization_response=visit(url)["url"], client_secret=secret
        )
    with step("userinfo"):
        check(oauth.get(USERINFO).json()["sub"] == "alice", oauth.get(USERINFO).text)
    expired = {
        "access_token": token["access_token"],
        "refresh_token": token["refresh_token"],
        "token_type": "Bearer",
        "expires_in": "-30",
    }
    with step("refresh"):
        refresh(app, expired, auth=HTTPBasicAuth(app["client_id"], secret))
    with refused(
        "refresh, secret in the form",
        "The client is registered for client_secret_basic, but this request used client_secret_post. "
        "Authenticate with client_secret_basic, or register token_endpoint_auth_method: client_secret_post",
    ):
        refresh(app, expired, client_id=app["client_id"], client_secret=secret)


def refresh(app, token, **credentials):
    """The first way of the documentation: when the library says that the token has expired."""
    client = OAuth2Session(app["client_id"], token=token)
    try:
        client.get(USERINFO)
        raise AssertionError("the library says that the token has not expired")
    except TokenExpiredError:
        token = client.refresh_token(TOKEN, **credentials)
    claims = OAuth2Session(app["client_id"], token=token).get(USERINFO).json()
    check(claims["sub"] == "alice", claims)


def pkce():
    app = register(redirect_uris=[CALLBACK], token_endpoint_auth_method="none", scope="openid")
    with step("login, public client with PKCE"):
        oauth = OAuth2Session(
            app["client_id"], redirect_uri=CALLBACK, scope=["openid"], pkce="S256"
        )
        url, _ = oauth.authorization_url(AUTHORIZE)
        oauth.fetch_token(
            TOKEN, authorization_response=visit(url)["url"], include_client_id=True
        )


def backend_application():
    service = register(client_name="Backend", grant_types=["client_credentials"], scope="read")
    client_id, secret = service["client_id"], service["client_secret"]
    with step("client_credentials"):
        oauth = OAuth2Session(client=BackendApplicationClient(client_id=client_id))
        oauth.fetch_token(token_url=TOKEN, client_id=client_id, client_secret=secret)
    with step("client_credentials, secret in the header alone"):
        oauth = OAuth2Session(client=BackendApplicationClient(client_id=client_id))
        oauth.fetch_token(token_url=TOKEN, auth=HTTPBasicAuth(client_id, secret))


run("requests-oauthlib", web_application, pkce, backend_application)
