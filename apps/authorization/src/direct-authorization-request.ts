import type { JsonObject } from '@vestibule/protocol/json';
import { Type } from 'typebox';
import { MAX_RESOURCES } from './find-resource.js';

/** An object with any members. */
export const Members = (description: string) =>
  Type.Unsafe<JsonObject>(Type.Object({}, { additionalProperties: true, description }));

/** Texts in a JSON body: no control characters except tabs and line ends. */
export const SAFE_TEXT = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$';

const Text = (description: string, maxLength = 2048) =>
  Type.String({ minLength: 1, maxLength, pattern: SAFE_TEXT, description });

/**
 * Maximum length of the identifier of an end-user or a session, in characters (OpenID Connect Core section 2). They are
 * indexed.
 */
export const MAX_NAME_LENGTH = 255;

/** The JSON body of POST /direct-authz: who a token is issued to, and its contents. */
export const DirectAuthorizationRequest = Type.Object(
  {
    scope: Type.String({
      maxLength: 8192,
      description: 'Space-separated scope values. `client-reg` values only request an initial access token.',
    }),
    client_id: Type.Optional(Text('The client that receives the token. Required for access tokens.')),
    sub: Type.Optional(Text('The end-user; absent if the client acts for itself.', MAX_NAME_LENGTH)),
    username: Type.Optional(Text('The name that the end-user logs in with.')),
    aud: Type.Optional(
      Type.Array(Text('A resource server.'), {
        minItems: 1,
        maxItems: 100,
        description: 'Explicit audience. Without it any resource server may introspect the token.',
      }),
    ),
    resource: Type.Optional(
      Type.Array(Text('A registered resource server.'), {
        minItems: 1,
        maxItems: MAX_RESOURCES,
        description:
          'Audience by resource (RFC 8707), in place of `aud`: each a registered resource server, by a resource identifier, with or without a trailing slash, its client identifier or its registration address. The token gets the resource identifier as registered.',
      }),
    ),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 31_536_000,
        description: 'Lifetime in seconds, of the access token and of the ID token.',
      }),
    ),
    format: Type.Optional(
      Type.Enum(['identifier', 'jwt'], {
        description: 'Format of the token. Default: `identifier`.',
      }),
    ),
    nbf: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 253_402_300_799,
        description: 'Use-not-before time, NumericDate.',
      }),
    ),
    cnf: Type.Optional(
      Members(
        'The key that the token is bound to (RFC 7800). For an initial access token: only `x5t#S256` (RFC 8705 section 3.1).',
      ),
    ),
    act: Type.Optional(Members('The actor that acts for the subject (RFC 8693).')),
    dat: Type.Optional(Members('Custom authorization data.')),
    claims: Type.Optional(Members('Consented OpenID claims that resource servers receive.')),
    sid: Type.Optional(
      Text(
        'The session of the token. With `openid` in the scope: a live session of this end-user, by its own identifier or the `sid` of any of its clients; the client joins it and is notified when it ends.',
        MAX_NAME_LENGTH,
      ),
    ),
    nonce: Type.Optional(Text('ID tokens: the `nonce` of the authorization request.', 1024)),
    auth_time: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 253_402_300_799,
        description: 'ID tokens: the time of the login, NumericDate.',
      }),
    ),
    acr: Type.Optional(Text('ID tokens: the authentication context class reference.', 255)),
    amr: Type.Optional(
      Type.Array(Text('An authentication method (RFC 8176).', 64), {
        minItems: 1,
        maxItems: 20,
        description: 'ID tokens: the authentication methods of the login.',
      }),
    ),
    azp: Type.Optional(Text('ID tokens: the authorized party, a registered client.')),
    uses: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'Initial access tokens: number of registrations. Default: 1.',
      }),
    ),
    label: Type.Optional(
      Type.String({
        maxLength: 255,
        pattern: SAFE_TEXT,
        description: 'Initial access tokens: a note for operators.',
      }),
    ),
    metadata: Type.Optional(
      Members(
        'Initial access tokens: metadata that every registration starts from. The scope must permit it.',
      ),
    ),
  },
  { $id: 'TokenRequest', additionalProperties: false },
);

/** A token request. */
export type DirectAuthorizationRequest = Type.Static<typeof DirectAuthorizationRequest>;
