import type { JsonObject } from '@vestibule/protocol';
import { Type } from 'typebox';

const Members = (description: string) =>
  Type.Unsafe<JsonObject>(Type.Object({}, { additionalProperties: true, description }));

/** What the JSON of a body may hold: no control characters but tabs and line ends. */
export const SAFE_TEXT = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$';

const Text = (description: string, maxLength = 2048) =>
  Type.String({ minLength: 1, maxLength, pattern: SAFE_TEXT, description });

/**
 * The longest name of an end-user or a session, in characters (OpenID Connect Core section 2); what it names is
 * indexed.
 */
export const MAX_NAME_LENGTH = 255;

/** The JSON body of POST /direct-authz: for whom a token is issued and what it says. */
export const DirectAuthorizationRequest = Type.Object(
  {
    scope: Type.String({
      maxLength: 8192,
      description:
        'Space-separated scope values. Values of the `client-reg` grammar alone give an initial access token.',
    }),
    client_id: Type.Optional(Text('The client that receives the token. Required for access tokens.')),
    sub: Type.Optional(Text('The end-user; left out when the client acts for itself.', MAX_NAME_LENGTH)),
    username: Type.Optional(Text('The name that the end-user logs in with.')),
    aud: Type.Optional(
      Type.Array(Text('A resource server.'), {
        minItems: 1,
        maxItems: 100,
        description: 'Explicit audience; without it any resource server may introspect the token.',
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
        description: 'Format of the token. `identifier` by default.',
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
        'What the token is bound to (RFC 7800). Of an initial access token: `x5t#S256` alone (RFC 8705 section 3.1).',
      ),
    ),
    act: Type.Optional(Members('Who acts for the subject (RFC 8693).')),
    dat: Type.Optional(Members('Custom authorisation data.')),
    claims: Type.Optional(Members('Consented OpenID claims that resource servers may learn.')),
    sid: Type.Optional(
      Text(
        'The session that the token belongs to. With `openid` in the scope: a live session of this end-user, named by its own identifier or by one that a client knows it by; the client enters it and is notified when it ends.',
        MAX_NAME_LENGTH,
      ),
    ),
    nonce: Type.Optional(Text('ID tokens: what the client sent with its authorization request.', 1024)),
    auth_time: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 253_402_300_799,
        description: 'ID tokens: when the end-user logged in, NumericDate.',
      }),
    ),
    acr: Type.Optional(Text('ID tokens: the authentication context class reference.', 255)),
    amr: Type.Optional(
      Type.Array(Text('An authentication method (RFC 8176).', 64), {
        minItems: 1,
        maxItems: 20,
        description: 'ID tokens: how the end-user logged in.',
      }),
    ),
    azp: Type.Optional(Text('ID tokens: the client that the ID token is issued to.')),
    uses: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'Initial access tokens: how many registrations. 1 by default.',
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

/** A request for a token. */
export type DirectAuthorizationRequest = Type.Static<typeof DirectAuthorizationRequest>;
