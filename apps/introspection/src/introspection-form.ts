import { DomainError } from '@vestibule/protocol';
import { Type } from 'typebox';

/** The largest request body in bytes, and the most parameters in it. */
export const FORM_LIMITS = { maxBytes: 16_384, maxParameters: 20 } as const;

/**
 * The form parameters of the endpoint (introspection/API.md#introspect). All optional here: who asks is decided
 * before what is asked.
 */
export const IntrospectionForm = Type.Object(
  {
    token: Type.Optional(Type.String({ description: 'The token to inspect. Required.' })),
    token_type_hint: Type.Optional(
      Type.String({ description: 'What the caller takes the token for. Never trusted.' }),
    ),
    revoke: Type.Optional(
      Type.String({ description: '`true` uses up an identifier-based token. `false` by default.' }),
    ),
    client_id: Type.Optional(Type.String({ description: 'The client that authenticates.' })),
    client_secret: Type.Optional(Type.String({ description: 'Its secret, for `client_secret_post`.' })),
    client_assertion_type: Type.Optional(Type.String({ description: 'The kind of `client_assertion`.' })),
    client_assertion: Type.Optional(Type.String({ description: 'A client assertion.' })),
  },
  { additionalProperties: true },
);

/**
 * The query parameters: none of those of the form may stand in the address (RFC 6749 section 2.3.1, RFC 7662 section
 * 4).
 */
export const IntrospectionQuery = Type.Object(
  Object.fromEntries(
    Object.keys(IntrospectionForm.properties).map((name) => [name, Type.Optional(Type.Never())]),
  ),
  { additionalProperties: true },
);

/** What is asked of a token. */
export interface ParsedForm {
  readonly token: string;
  readonly revoke: boolean;
}

/**
 * Reads what is asked.
 * @throws DomainError `invalid_request` without a `token`, or with a `revoke` other than `true` and `false`
 */
export function parseForm({ token, revoke }: Type.Static<typeof IntrospectionForm>): ParsedForm {
  if (token === undefined || token === '') throw new DomainError('invalid_request', 'token is missing');
  if (revoke !== undefined && revoke !== 'true' && revoke !== 'false')
    throw new DomainError('invalid_request', 'revoke must be true or false');
  return { token, revoke: revoke === 'true' };
}
