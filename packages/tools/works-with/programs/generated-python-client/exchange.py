"""What a developer writes over the generated packages."""

from base64 import b64encode
from typing import TypeVar

from authorization.api.authorization import issue_token, revoke_tokens
from authorization.client import AuthenticatedClient as AuthorizationClient
from authorization.models import RevocationRequest, TokenRequest, Tokens
from introspection.api.introspection import introspect_token
from introspection.client import AuthenticatedClient as IntrospectionClient
from introspection.models import Introspection, IntrospectTokenBody
from registration.api.registration import patch_client, read_client, register_client, update_client
from registration.client import AuthenticatedClient as RegistrationClient
from registration.models import (
    ChangedRegistration,
    ClientAuthMethod,
    ClientInformation,
    PatchRequest,
    RegistrationRequest,
    UpdateRequest,
)
from registration.models.register_client_dry_run import RegisterClientDryRun
from report import BASE_URL, MASTER_TOKEN, check, step

Response = TypeVar("Response")


def given(response: object, kind: type[Response]) -> Response:
    """A response of the kind that is meant; every other one is a refusal."""
    if not isinstance(response, kind):
        raise AssertionError(f"unexpected response: {response}")
    return response


def text(value: object) -> str:
    return given(value, str)


def exchange() -> None:
    operator = RegistrationClient(BASE_URL, MASTER_TOKEN)
    wanted = RegistrationRequest(
        client_name="My API",
        grant_types=["client_credentials"],
        scope=f"{BASE_URL}/token/introspect",
        token_endpoint_auth_method=ClientAuthMethod.CLIENT_SECRET_BASIC,
        tos_uri=None,
    )
    wanted["client_name#de"] = "Meine API"

    with step("register in a dry run"):
        evaluated = register_client.sync(client=operator, body=wanted, dry_run=RegisterClientDryRun.TRUE)
        check(given(evaluated, ChangedRegistration)["client_name#de"] == "Meine API", evaluated)

    with step("register"):
        registered = given(register_client.sync(client=operator, body=wanted), ChangedRegistration)
        client_id = text(registered.client_id)

    with step("read, change and write back"):
        own = RegistrationClient(BASE_URL, text(registered.registration_access_token))
        read = given(read_client.sync(client_id, client=own), ClientInformation)
        changed = UpdateRequest.from_dict(read.to_dict())
        changed.client_name = "Renamed"
        written = given(update_client.sync(client_id, client=own, body=changed), ChangedRegistration)
        check((written.client_name, written["client_name#de"]) == ("Renamed", "Meine API"), written)

    with step("patch"):
        patch = PatchRequest(client_uri="https://api.example")
        patch["client_name#fr"] = "Mon API"
        patched = given(patch_client.sync(client_id, client=operator, body=patch), ChangedRegistration)
        check((patched["client_name#de"], patched["client_name#fr"]) == ("Meine API", "Mon API"), patched)

    with step("issue, introspect and revoke"):
        secret = text(given(read_client.sync(client_id, client=operator), ClientInformation).client_secret)
        server = AuthorizationClient(BASE_URL, MASTER_TOKEN)
        body = TokenRequest(scope="read", client_id=client_id, aud=[client_id])
        token = given(issue_token.sync(client=server, body=body), Tokens).access_token
        check(introspect(client_id, secret, token).client_id == client_id, "a token that is not active")
        revoke_tokens.sync_detailed(client=server, body=RevocationRequest(token=token))
        check(not introspect(client_id, secret, token).active, "a token that is active")


def introspect(client_id: str, secret: str, token: str) -> Introspection:
    credentials = b64encode(f"{client_id}:{secret}".encode()).decode()
    client = IntrospectionClient(BASE_URL, credentials, prefix="Basic")
    return given(introspect_token.sync(client=client, body=IntrospectTokenBody(token=token)), Introspection)
