import { MEDIA_TYPE } from '@vestibule/protocol';
import { type OperationDescription, openObject } from '@vestibule/service-kit';
import { Type } from 'typebox';
import { FORM_LIMITS, IntrospectionForm } from './introspection-form.js';

/** How callers prove who they are. */
export const SECURITY_SCHEMES = {
  clientSecret: { type: 'http', scheme: 'basic', description: 'Identifier and secret of the client.' },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token whose scope has the address of this endpoint. One that is bound to a key is shown with the scheme DPoP and a proof in the header DPoP (RFC 9449), one that is bound to a certificate over a connection with that certificate (RFC 8705).',
  },
} as const;

const Seconds = (description: string) =>
  Type.Optional(Type.Integer({ description: `${description}, in seconds since the Unix epoch.` }));
const Text = (description: string) => Type.Optional(Type.String({ description }));
const Claims = (description: string) => Type.Optional(openObject(description));

/** What is said of a token. */
export const IntrospectionSchema = Type.Object(
  {
    active: Type.Boolean({ description: 'Whether it is an active access token for the caller.' }),
    scope: Text('Its scope.'),
    client_id: Text('The client that it was issued to.'),
    username: Text('The end-user, for people.'),
    token_type: Type.Optional(Type.Enum(['Bearer', 'DPoP'], { description: 'How it is presented.' })),
    exp: Seconds('When it ends'),
    iat: Seconds('When it was issued'),
    nbf: Seconds('When it begins'),
    sub: Text('The end-user or the client, for programs.'),
    aud: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], { description: 'Whom it is for.' }),
    ),
    iss: Text('Who issued it.'),
    jti: Text('Its identifier.'),
    sid: Text('The session of the end-user that it ends with.'),
    cnf: Claims('The key or certificate that it is bound to (RFC 7800 section 3).'),
    act: Claims('Who acts for the subject (RFC 8693 section 4.1).'),
    dat: Claims('What else is known of it.'),
    acr: Text('How the end-user was authenticated (RFC 9470 section 6.2).'),
    auth_time: Seconds('When the end-user was authenticated'),
    authorization_details: Type.Optional(
      Type.Array(openObject('One of them.'), {
        description: 'What was authorized in detail (RFC 9396 section 9.2).',
      }),
    ),
  },
  {
    $id: 'Introspection',
    description:
      'Nothing but `active` where that is false. Otherwise whatever the token has, its consented claims too.',
    additionalProperties: true,
  },
);

/** The same as a JWT, signed afresh for each response. */
const SignedIntrospection = Type.String({ description: 'A JWT, encrypted where the client registered so.' });

const SIGNED_EXAMPLE = 'eyJ0eXAiOiJ0b2tlbi1pbnRyb3NwZWN0aW9uK2p3dCJ9.eyJhY3RpdmUiOnRydWV9.c2lnbmF0dXJl';

/** POST /token/introspect (introspection/API.md#introspect). */
export const INTROSPECT: OperationDescription = {
  id: 'introspectToken',
  summary: 'Ask whether a token is active',
  description:
    'RFC 7662 section 2. `Accept` chooses between JSON and JWTs (RFC 9701). Clients that registered another method authenticate in the form. ' +
    `The body is at most ${FORM_LIMITS.maxBytes.toLocaleString('en')} bytes long and has at most ${FORM_LIMITS.maxParameters} parameters, each of them once; otherwise the response is 400.`,
  security: ['clientSecret', 'accessToken', 'none'],
  body: Type.Object({
    ...IntrospectionForm.properties,
    token: Type.String({ description: 'The token to inspect.', minLength: 1, pattern: '^[^\\u0000]*$' }),
    revoke: Type.Optional(
      Type.Enum(['true', 'false'], {
        description: '`true` uses up an identifier-based token. `false` by default.',
      }),
    ),
  }),
  bodyExamples: { [MEDIA_TYPE.form]: { token: '<access token>', token_type_hint: 'access_token' } },
  responseHeaders: {
    vary: { description: 'The form depends on it.', schema: Type.Enum(['Accept']), required: true },
  },
  responses: {
    200: {
      description: 'What there is to say of the token.',
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
