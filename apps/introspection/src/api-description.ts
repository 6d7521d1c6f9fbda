import { type OperationDescription, openObject } from '@vestibule/http/openapi';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { Type } from 'typebox';
import { FORM_LIMITS, IntrospectionForm } from './introspection-form.js';

/** The security schemes of the API document. */
export const SECURITY_SCHEMES = {
  clientSecret: {
    type: 'http',
    scheme: 'basic',
    description: '`client_id` and `client_secret` of the client (`client_secret_basic`).',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token whose scope contains the address of this endpoint. A token that is bound to a key is sent with the scheme DPoP and a proof in the header DPoP (RFC 9449), a token that is bound to a certificate over a connection with that certificate (RFC 8705).',
  },
} as const;

const Seconds = (description: string) =>
  Type.Optional(Type.Integer({ description: `${description}, in seconds since the Unix epoch.` }));
const Text = (description: string) => Type.Optional(Type.String({ description }));
const Claims = (description: string) => Type.Optional(openObject(description));

/** The introspection response in JSON. */
export const IntrospectionSchema = Type.Object(
  {
    active: Type.Boolean({
      description: 'Whether the token is an access token that is active for the caller.',
    }),
    scope: Text('Scope values, space-separated.'),
    client_id: Text('Client to which the token was issued.'),
    username: Text('User name of the resource owner, to be displayed.'),
    token_type: Type.Optional(
      Type.Enum(['Bearer', 'DPoP'], { description: 'How the token is presented to a resource server.' }),
    ),
    exp: Seconds('Expiry of the token'),
    iat: Seconds('Time of issue'),
    nbf: Seconds('Time before which the token is not valid'),
    sub: Text('Subject: identifier of the end-user or of the client.'),
    aud: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], { description: 'Audience of the token.' }),
    ),
    iss: Text('Issuer of the token.'),
    jti: Text('Identifier of the token.'),
    sid: Text('Session of the end-user that the token ends with.'),
    cnf: Claims('Key or certificate that the token is bound to (RFC 7800 section 3).'),
    act: Claims('Actor: the party that acts for the subject (RFC 8693 section 4.1).'),
    dat: Claims('Custom authorization data.'),
    acr: Text('Authentication context class of the end-user (RFC 9470 section 6.2).'),
    auth_time: Seconds('Time at which the end-user authenticated'),
    authorization_details: Type.Optional(
      Type.Array(openObject('An authorization details object.'), {
        description: 'Rich authorization details of the token (RFC 9396 section 9.2).',
      }),
    ),
  },
  {
    $id: 'Introspection',
    description:
      'Only `active` where that is false. Otherwise the members that the token has, and claims that the end-user consented to.',
    additionalProperties: true,
  },
);

/** The introspection response as a JWT, signed anew for each response. */
const SignedIntrospection = Type.String({
  description: 'A JWT, encrypted if the client registered `introspection_encrypted_response_alg`.',
});

const SIGNED_EXAMPLE = 'eyJ0eXAiOiJ0b2tlbi1pbnRyb3NwZWN0aW9uK2p3dCJ9.eyJhY3RpdmUiOnRydWV9.c2lnbmF0dXJl';

/** Headers of a response that the caller may keep (introspection/API.md#cache-tags). */
const CACHE_TAG_HEADERS = {
  'preference-applied': {
    description: 'The request preferred cache tags, and the response has them.',
    schema: Type.Enum(['cache-tags']),
  },
  'stream-position': {
    description: 'The response reflects every change below this position of the stream of changes.',
    schema: Type.String({ pattern: '^[\\w-]{16}\\.\\d+$' }),
  },
  'cache-tags': {
    description: 'Names of what the response depends on.',
    schema: Type.String(),
  },
  'token-cache-control': {
    description: '`max-age`: seconds after which the response must not be used (RFC 9213).',
    schema: Type.String({ pattern: '^max-age=[1-9]\\d*$' }),
  },
} as const;

/** POST /token/introspect (introspection/API.md#introspect). */
export const INTROSPECT: OperationDescription = {
  id: 'introspectToken',
  summary: 'Introspect a token',
  description:
    'Tells whether an access token is active for the caller, and with which scope, subject and other members (RFC 7662 section 2). ' +
    '`Accept` selects JSON or a JWT (RFC 9701). Clients that registered another authentication method than `client_secret_basic` send their credential in the form. ' +
    `The body has at most ${FORM_LIMITS.maxBytes.toLocaleString('en')} bytes and ${FORM_LIMITS.maxParameters} parameters, and each parameter may occur once; otherwise the response is 400.`,
  security: ['clientSecret', 'accessToken', 'none'],
  body: Type.Object({
    ...IntrospectionForm.properties,
    token: Type.String({ description: 'The token to inspect.', minLength: 1, pattern: '^[^\\u0000]*$' }),
    revoke: Type.Optional(
      Type.Enum(['true', 'false'], {
        description: '`true` consumes an identifier-based token. `false` by default.',
      }),
    ),
  }),
  bodyExamples: { [MEDIA_TYPE.form]: { token: '<access token>', token_type_hint: 'access_token' } },
  headers: {
    prefer: {
      description: '`cache-tags`: the response says how long the caller may keep it.',
      schema: Type.String(),
    },
  },
  responseHeaders: {
    vary: {
      description: 'The format of the response depends on `Accept`.',
      schema: Type.Enum(['Accept']),
      required: true,
    },
  },
  responses: {
    200: {
      description: 'Whether the token is active, and its members.',
      headers: CACHE_TAG_HEADERS,
      content: {
        [MEDIA_TYPE.json]: IntrospectionSchema,
        [MEDIA_TYPE.tokenIntrospectionJwt]: SignedIntrospection,
        [MEDIA_TYPE.jwt]: SignedIntrospection,
      },
      examples: {
        [MEDIA_TYPE.json]: {
          active: true,
          scope: 'read write',
          client_id: 'k8s0p2q4',
          token_type: 'Bearer',
          exp: 1796083200,
          iat: 1796079600,
          sub: 'alice',
          iss: 'https://op.example',
        },
        [MEDIA_TYPE.tokenIntrospectionJwt]: SIGNED_EXAMPLE,
        [MEDIA_TYPE.jwt]: SIGNED_EXAMPLE,
      },
    },
  },
  errors: ['invalid_request', 'invalid_client', 'access_denied', 'too_many_requests'],
};
