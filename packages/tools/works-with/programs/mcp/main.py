"""The MCP Python SDK: its OAuth client against its own server, with the stack as the authorization server.

https://py.sdk.modelcontextprotocol.io/client/oauth-clients/
"""

import asyncio
import json
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata
from pydantic import AnyUrl

from server import RESOURCE, serving
from report import BASE_URL, check, refused, register, run, step, visit

# No server listens there: the browser says where it was sent.
CALLBACK = "http://localhost:3030/callback"
SCOPE = "notes:read"


class InMemoryTokenStorage:
    def __init__(self):
        self.tokens = None
        self.client_info = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client_info

    async def set_client_info(self, client_info):
        self.client_info = client_info


def tools():
    service = register(client_name="Job", grant_types=["client_credentials"], scope=SCOPE)
    with refused(
        "an MCP server that is not registered",
        "is not a registered resource server",
    ):
        with serving(("not", "registered"), [SCOPE]):
            call(person(SCOPE))
    with step("register the MCP server, RFC 8707"):
        api = resource_server()
    credentials = (api["client_id"], api["client_secret"])
    with serving(credentials, [SCOPE]):
        agent = person(SCOPE)
        with step("protected resource metadata, register, login, call a tool"):
            called_by(call(agent), "alice", SCOPE)
        with step("refresh, call a tool"):
            before = agent.context.current_tokens.access_token
            agent.context.token_expiry_time = 1
            called_by(call(agent), "alice", SCOPE)
            check(agent.context.current_tokens.access_token != before, "the same access token")
        with step("client_credentials, call a tool"):
            called_by(call(job(service)), service["client_id"], SCOPE)
    with serving(credentials, None):
        with step("register, login, call a tool, no scope asked for"):
            called_by(call(person(None)), "alice")


def resource_server():
    return register(
        client_name="Notes",
        grant_types=["client_credentials"],
        scope=f"{BASE_URL}/token/introspect",
        resource_identifiers=[RESOURCE],
        resource_scopes=SCOPE,
    )


def called_by(result, subject, *scopes):
    check(result["subject"] == subject and {*scopes} <= {*result["scopes"]}, result)


def person(scope):
    where = {}

    async def open_browser(authorization_url):
        where["url"] = visit(authorization_url)["url"]

    async def wait_for_callback():
        params = parse_qs(urlparse(where["url"]).query)
        check("code" in params, params)
        return AuthorizationCodeResult(
            code=params["code"][0], state=params["state"][0], iss=params.get("iss", [None])[0]
        )

    return OAuthClientProvider(
        server_url=RESOURCE,
        client_metadata=OAuthClientMetadata(
            client_name="Notes Agent", redirect_uris=[AnyUrl(CALLBACK)], scope=scope
        ),
        storage=InMemoryTokenStorage(),
        redirect_handler=open_browser,
        callback_handler=wait_for_callback,
    )


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
    return asyncio.run(who_am_i(auth))


async def who_am_i(auth):
    async with httpx2.AsyncClient(auth=auth, follow_redirects=True) as http_client:
        async with Client(streamable_http_client(RESOURCE, http_client=http_client)) as client:
            result = await client.call_tool("whoami", {})
            return json.loads(result.content[0].text)


run("mcp", tools)
