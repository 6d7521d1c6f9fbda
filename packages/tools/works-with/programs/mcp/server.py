"""An MCP server behind the stack: https://py.sdk.modelcontextprotocol.io/run/authorization/"""

from contextlib import contextmanager
from threading import Thread
from time import sleep

import httpx2
import uvicorn
from mcp.server import MCPServer
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings

from report import BASE_URL, OWN_URL

RESOURCE = f"{OWN_URL}/mcp"


class IntrospectionTokenVerifier(TokenVerifier):
    """Asks the introspection endpoint, as the resource server that the operator registered."""

    def __init__(self, credentials):
        self.credentials = credentials

    async def verify_token(self, token):
        async with httpx2.AsyncClient(auth=self.credentials) as client:
            response = await client.post(f"{BASE_URL}/token/introspect", data={"token": token})
        facts = response.json()
        if not facts.get("active"):
            return None
        return AccessToken(
            token=token,
            client_id=facts["client_id"],
            scopes=facts.get("scope", "").split(),
            expires_at=facts["exp"],
            resource=next((name for name in facts["aud"] if name == RESOURCE), None),
            subject=facts.get("sub"),
        )


@contextmanager
def serving(credentials, required_scopes):
    """Serves while the block runs."""
    server = MCPServer(
        "Notes",
        token_verifier=IntrospectionTokenVerifier(credentials),
        # As texts: AnyHttpUrl would add a slash to the issuer, which has none.
        auth=AuthSettings(
            issuer_url=BASE_URL,
            resource_server_url=RESOURCE,
            required_scopes=required_scopes,
            validate_token_resource=True,
        ),
    )

    @server.tool()
    def whoami() -> dict:
        """Who is calling."""
        token = get_access_token()
        return {"subject": token.subject, "scopes": token.scopes}

    host, port = OWN_URL.removeprefix("http://").split(":")
    config = uvicorn.Config(server.streamable_http_app(), host=host, port=int(port), log_level="warning")
    web = uvicorn.Server(config)
    thread = Thread(target=web.run, daemon=True)
    thread.start()
    while not web.started:
        sleep(0.05)
    try:
        yield
    finally:
        web.should_exit = True
        thread.join()
