"""Authlib: its OAuth 2 session, its client assertions, its validator of JWT access tokens, its client for Flask."""

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import ClientSecretJWT, PrivateKeyJWT
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator
from authlib.oidc.discovery import OpenIDProviderMetadata, get_well_known_url
from joserfc.jwk import RSAKey
import requests

from site_with_login import log_in_and_out
from report import BASE_URL, CALLBACK, OWN_URL, check, register, run, step, visit

METADATA = requests.get(get_well_known_url(BASE_URL, external=True)).json()
INTROSPECTION = METADATA["introspection_endpoint"]
REVOCATION = METADATA["revocation_endpoint"]
TOKEN = METADATA["token_endpoint"]


def discovery():
    with step("discovery"):
        OpenIDProviderMetadata(METADATA).validate()


def session():
    """https://docs.authlib.org/en/stable/client/oauth2.html"""
    with step("register"):
        api = register(client_name="API", grant_types=["client_credentials"], scope=INTROSPECTION)
        app = register(
            client_name="Session",
            redirect_uris=[CALLBACK],
            grant_types=["authorization_code", "refresh_token"],
            scope="openid profile offline_access",
        )
    client = OAuth2Session(
        app["client_id"],
        app["client_secret"],
        scope="openid profile offline_access",
        redirect_uri=CALLBACK,
        code_challenge_method="S256",
    )
    with step("login"):
        verifier = generate_token(48)
        url, _ = client.create_authorization_url(
            METADATA["authorization_endpoint"], code_verifier=verifier, prompt="consent"
        )
        token = client.fetch_token(
            TOKEN, authorization_response=visit(url)["url"], code_verifier=verifier
        )
    with step("userinfo"):
        claims = client.get(METADATA["userinfo_endpoint"]).json()
        check(claims["sub"] == "alice", claims)
    resource_server = OAuth2Session(api["client_id"], api["client_secret"])
    with step("introspect"):
        response = resource_server.introspect_token(INTROSPECTION, token=token["access_token"]).json()
        check(response["active"] and response["client_id"] == app["client_id"], response)
    with step("refresh"):
        token = client.refresh_token(TOKEN)
    with step("revoke"):
        client.revoke_token(REVOCATION, token=token["access_token"]).raise_for_status()
        response = resource_server.introspect_token(INTROSPECTION, token=token["access_token"]).json()
        check(response == {"active": False}, response)


def client_credentials():
    """https://docs.authlib.org/en/stable/client/oauth2.html, with a token for one resource server (RFC 9068)."""
    resource = f"{OWN_URL}/api"
    register(
        client_name="API",
        grant_types=["client_credentials"],
        scope=INTROSPECTION,
        resource_identifiers=[resource],
    )
    service = register(client_name="Service", grant_types=["client_credentials"], scope="read")
    with step("client_credentials"):
        client = OAuth2Session(service["client_id"], service["client_secret"], scope="read")
        token = client.fetch_token(TOKEN, grant_type="client_credentials", resource=resource)
    with step("JWT access token"):
        validator = Validator(issuer=METADATA["issuer"], resource_server=resource)
        claims = validator.authenticate_token(token["access_token"])
        validator.validate_token(claims, ["read"], None)


class Validator(JWTBearerTokenValidator):
    """https://docs.authlib.org/en/stable/specs/rfc9068.html"""

    def get_jwks(self):
        return requests.get(METADATA["jwks_uri"]).json()


def client_secret_jwt():
    """https://docs.authlib.org/en/stable/client/requests.html, with the address of the endpoint named and not named"""
    with step("client_secret_jwt"):
        service = register(
            client_name="Service",
            grant_types=["client_credentials"],
            scope="read",
            token_endpoint_auth_method="client_secret_jwt",
        )
        use_assertions(service, service["client_secret"], ClientSecretJWT)


def private_key_jwt():
    with step("private_key_jwt"):
        key = RSAKey.generate_key(2048)
        service = register(
            client_name="Service",
            grant_types=["client_credentials"],
            scope="read",
            token_endpoint_auth_method="private_key_jwt",
            jwks={"keys": [key.as_dict(private=False)]},
        )
        use_assertions(service, key.as_pem(private=True), PrivateKeyJWT)


def use_assertions(service, credential, method):
    client = OAuth2Session(
        service["client_id"],
        credential,
        token_endpoint_auth_method=method.name,
        revocation_endpoint_auth_method=method.name,
    )
    client.register_client_auth_method(method(TOKEN))
    token = client.fetch_token(TOKEN, grant_type="client_credentials")
    client.revoke_token(REVOCATION, token=token["access_token"]).raise_for_status()
    client.register_client_auth_method(method())
    token = client.fetch_token(TOKEN, grant_type="client_credentials")
    client.revoke_token(REVOCATION, token=token["access_token"]).raise_for_status()


run(
    "Authlib",
    discovery,
    session,
    client_credentials,
    client_secret_jwt,
    private_key_jwt,
    log_in_and_out,
)
