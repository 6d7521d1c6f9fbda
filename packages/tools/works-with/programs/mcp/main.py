"""The MCP Python SDK: its OAuth client against its own server, with the stack as the authorization server.

https://py.sdk.modelcontextprotocol.io/client/oauth-clients/
"""

import asyncio
import json

import httpx2
from mcp import Client
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.client.streamable_http import streamable_http_client

from person import SCOPE, InMemoryTokenStorage, client_metadata, document, person
from report import BASE_URL, check, refused, register, run, step, visit
from server import RESOURCE, serving

OTHER_SCOPE = "notes:write"


def tools():
    service = register(client_name="Job", grant_types=["client_credentials"], scope=SCOPE)
    with refused(
        "an MCP server that is not registered",
        "is not a registered resource server",
    ):
        with serving(("not", "registered"), [SCOPE]):
            call(person(client_metadata()))
    with step("register the MCP server, RFC 8707"):
        api = resource_server()
    credentials = (api["client_id"], api["client_secret"])
    with step("client_credentials, call a tool"):
        with serving(credentials, [SCOPE]):
            called_by(call(job(service)), service["client_id"], SCOPE)
    with step("registers itself, no scope asked for: log in, call a tool"):
        with serving(credentials, None):
            called_by(call(person(client_metadata(scope=None))), "alice")
    from_discovery_to_logout("registers itself", credentials, lambda metadata: None)
    from_discovery_to_logout("client ID metadata document", credentials, document)


def from_discovery_to_logout(way, credentials, publish):
    """The life of a client. `publish` gives the address of its document, or nothing."""
    metadata = client_metadata()
    url = publish(metadata)
    agent = person(metadata, url, session=way)
    with serving(credentials, [SCOPE]):
        with step(f"{way}: discover, log in, call a tool"):
            called_by(call(agent), "alice", SCOPE)
            client_id = agent.context.client_info.client_id
            check((client_id == url) == (url is not None), client_id)
        with step(f"{way}: refresh, call a tool"):
            before = token_of(agent)
            agent.context.token_expiry_time = 1
            called_by(call(agent), "alice", SCOPE)
            check(token_of(agent) != before, "the same access token")
    with serving(credentials, [OTHER_SCOPE]):
        with step(f"{way}: refuse a token of another scope (403)"):
            refused_with(403, token_of(agent))
    with serving(credentials, [SCOPE]):
        with step(f"{way}: refuse a revoked token (401)"):
            revoke(agent)
            refused_with(401, token_of(agent))
        # With the grant type refresh_token, the SDK asks for offline_access, which outlives the logout.
        without_refresh = client_metadata(grant_types=["authorization_code"])
        visitor = person(without_refresh, publish(without_refresh), session=way)
        with step(f"{way}: logout: refuse the token (401), but not that of offline_access"):
            called_by(call(visitor), "alice", SCOPE)
            agent.context.token_expiry_time = 1
            called_by(call(agent), "alice", SCOPE)
            log_out(way)
            refused_with(401, token_of(visitor))
            called_by(call(agent), "alice", SCOPE)


def resource_server():
    return register(
        client_name="Notes",
        grant_types=["client_credentials"],
        scope=f"{BASE_URL}/token/introspect",
        resource_identifiers=[RESOURCE],
        resource_scopes=f"{SCOPE} {OTHER_SCOPE}",
    )


def called_by(result, subject, *scopes):
    check(result["subject"] == subject and {*scopes} <= {*result["scopes"]}, result)


def token_of(agent):
    return agent.context.current_tokens.access_token


def revoke(agent):
    form = {"token": token_of(agent), "client_id": agent.context.client_info.client_id}
    form, headers = agent.context.prepare_token_auth(form)
    response = httpx2.post(str(agent.context.oauth_metadata.revocation_endpoint), data=form, headers=headers)
    check(response.status_code == 200, response.text)


def log_out(session):
    # The metadata of the SDK leaves this endpoint out.
    metadata = httpx2.get(f"{BASE_URL}/.well-known/openid-configuration").json()
    visit(metadata["end_session_endpoint"], session=session)


def refused_with(status, token):
    """Calls with a token alone, without the flow in which the SDK would fetch another one."""
    statuses = []

    async def note(response):
        statuses.append(response.status_code)

    headers = {"Authorization": f"Bearer {token}"}
    try:
        result = asyncio.run(who_am_i(headers=headers, event_hooks={"response": [note]}))
    except Exception:
        check(statuses and statuses[-1] == status, statuses)
    else:
        check(False, result)


def job(service):
    return ClientCredentialsOAuthProvider(
        server_url=RESOURCE,
        storage=InMemoryTokenStorage(),
        client_id=service["client_id"],
        client_secret=service["client_secret"],
        issuer=BASE_URL,
        scope=SCOPE,
    )


def call(auth):
    return asyncio.run(who_am_i(auth=auth, follow_redirects=True))


async def who_am_i(**http):
    async with httpx2.AsyncClient(**http) as http_client:
        async with Client(streamable_http_client(RESOURCE, http_client=http_client)) as client:
            result = await client.call_tool("whoami", {})
            return json.loads(result.content[0].text)


run("mcp", tools)
