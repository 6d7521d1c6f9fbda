"""How statements and tokens are sent: https://schemathesis.readthedocs.io/en/stable/guides/custom-serializers/"""

import schemathesis


@schemathesis.serializer("application/entity-statement+jwt", "application/jose")
def as_text(ctx, value):
    return str(value).encode("utf-8", "surrogateescape")
