"""A person with a browser, for whom the OAuth client of the SDK acts."""

import json
import os
from pathlib import Path
from urllib.parse import parse_qs, urlparse

from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.shared.auth import OAuthClientMetadata
from pydantic import AnyUrl

from report import check, visit
from server import RESOURCE

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


def client_metadata(scope=SCOPE, **members):
    return OAuthClientMetadata(
        client_name="Notes Agent", redirect_uris=[AnyUrl(CALLBACK)], scope=scope, **members
    )


def document(metadata):
    """Publishes the metadata as a client ID metadata document, and gives its address."""
    name = f"{len(metadata.grant_types)}.json"
    url = f"{os.environ['DOCUMENTS_URL']}/{name}"
    content = metadata.model_dump(mode="json", exclude_none=True) | {"client_id": url}
    Path(os.environ["DOCUMENTS_FOLDER"], name).write_text(json.dumps(content))
    return url


def person(metadata, client_metadata_url=None, session="first"):
    """An OAuth client, with a browser in which the person logs in and consents."""
    where = {}

    async def open_browser(authorization_url):
        where.update(visit(authorization_url, session=session))

    async def wait_for_callback():
        params = parse_qs(urlparse(where["url"]).query)
        check("code" in params, params)
        return AuthorizationCodeResult(
            code=params["code"][0], state=params["state"][0], iss=params.get("iss", [None])[0]
        )

    return OAuthClientProvider(
        server_url=RESOURCE,
        client_metadata=metadata,
        storage=InMemoryTokenStorage(),
        redirect_handler=open_browser,
        callback_handler=wait_for_callback,
        client_metadata_url=client_metadata_url,
    )
