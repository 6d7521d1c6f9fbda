import { type HeaderDescription, type OperationDescription, openObject } from '@vestibule/http/openapi';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { Type } from 'typebox';

/** The security schemes of the API document. */
export const SECURITY_SCHEMES = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The access token of the client. A token that is bound to a key is sent with the scheme DPoP and a proof in the header DPoP (RFC 9449).',
  },
} as const;

const text = (description: string, isRequired = false): HeaderDescription => ({
  description,
  schema: Type.String(),
  ...(isRequired && { required: true }),
});

const Refusal = Type.Object(
  {
    error: Type.String({ description: 'Error code.' }),
    error_description: Type.String({ description: 'What is wrong, for developers.' }),
  },
  { $id: 'Refusal', description: 'Why the request must not pass.' },
);

const NO_STORE = 'The response to send to the client of the gateway, with these headers and this body';

const refused = (when: string, headers: Readonly<Record<string, HeaderDescription>> = {}) => ({
  description: `${when}. ${NO_STORE}.`,
  headers,
  content: { [MEDIA_TYPE.json]: Refusal },
});

/** GET /check (forward-auth/API.md#check). */
export const CHECK: OperationDescription = {
  id: 'checkRequest',
  summary: 'Check a request',
  description:
    'Tells whether a request of a client may pass the gateway. The gateway describes the request in `X-Forwarded-*`, and sends `Authorization`, `DPoP` and the other headers of the client as they are.',
  security: ['accessToken', 'none'],
  headers: {
    'x-forwarded-method': text('Method of the request.', true),
    'x-forwarded-host': text('Host that the client called, with the port if it named one.', true),
    'x-forwarded-uri': text('Path and query as the client wrote them.', true),
  },
  responses: {
    200: {
      description:
        'The request may pass, with the identity headers of this response in place of those of the client.',
      headers: {
        'x-token-subject': text('Subject of the access token; empty if there is none.', true),
        'x-token-client': text('Client to which the token was issued.', true),
        'x-token-scope': text('Scope values, space-separated.', true),
        'x-token-username': text('User name of the end-user, to be displayed.', true),
        'x-token-issuer': text('Issuer of the token.', true),
        'x-token-expiry': text('Expiry of the token, in seconds since the Unix epoch.', true),
        authorization: text('A signed token for the upstream, if the service signs tokens.'),
        'dpop-nonce': text('Nonce for the next DPoP proof of the client.'),
      },
    },
    401: {
      ...refused('The request has no acceptable access token', {
        'www-authenticate': text('Challenges (RFC 6750 section 3, RFC 9728 section 5.1).', true),
        'dpop-nonce': text('Nonce for the next DPoP proof.'),
      }),
    },
    403: {
      ...refused('No route permits the request, or the access token lacks a scope value', {
        'www-authenticate': text('Challenges, if the token lacks a scope value.'),
      }),
    },
    503: {
      ...refused('It cannot be determined whether the access token is active', {
        'retry-after': text('Seconds after which the client may try again.', true),
      }),
    },
  },
  errors: ['invalid_request'],
};

/** GET /jwks (forward-auth/API.md#jwks). */
export const JWKS: OperationDescription = {
  id: 'readUpstreamTokenKeys',
  summary: 'Read the keys of signed tokens',
  description: 'The public keys that verify the signed tokens for upstreams, as a JWK set.',
  security: ['none'],
  responses: {
    200: {
      description: 'The keys.',
      content: {
        [MEDIA_TYPE.json]: Type.Object({ keys: Type.Array(openObject('A public key.')) }),
      },
    },
  },
  errors: ['not_found'],
};

/** GET /.well-known/oauth-protected-resource (RFC 9728 section 3.1). */
export const METADATA: OperationDescription = {
  id: 'readResourceMetadata',
  summary: 'Read the metadata of a resource',
  description:
    'The protected resource metadata (RFC 9728) of the resource whose identifier has the host of the request. If the identifier has a path, it follows that of this operation.',
  security: ['none'],
  responses: {
    200: {
      description: 'The metadata.',
      content: { [MEDIA_TYPE.json]: openObject('Protected resource metadata (RFC 9728 section 2).') },
    },
  },
  errors: ['not_found'],
};
