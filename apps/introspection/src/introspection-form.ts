import type { IntrospectionCaller } from '@vestibule/client-auth';
import { DomainError } from '@vestibule/protocol';
import type { IntrospectionRequest } from '@vestibule/tokens/introspection';
import { Type } from 'typebox';

/** Limits of a request body: its size in bytes, and the number of its parameters. */
export const FORM_LIMITS = { maxBytes: 16_384, maxParameters: 20 } as const;

/**
 * The form parameters of the endpoint (introspection/API.md#introspect). All are optional here, because the caller is
 * authenticated before the parameters are checked.
 */
export const IntrospectionForm = Type.Object(
  {
    token: Type.Optional(Type.String({ description: 'The token to inspect. Required.' })),
    token_type_hint: Type.Optional(
      Type.String({ description: 'Kind of token that the caller expects. Accepted, never trusted.' }),
    ),
    revoke: Type.Optional(
      Type.String({ description: '`true` consumes an identifier-based token. `false` by default.' }),
    ),
    client_id: Type.Optional(Type.String({ description: 'Client that authenticates.' })),
    client_secret: Type.Optional(Type.String({ description: 'Client secret, for `client_secret_post`.' })),
    client_assertion_type: Type.Optional(Type.String({ description: 'Format of `client_assertion`.' })),
    client_assertion: Type.Optional(Type.String({ description: 'Client assertion (RFC 7523 section 2.2).' })),
  },
  { additionalProperties: true },
);

/** The parameters as they were sent. */
export type Form = Type.Static<typeof IntrospectionForm>;

/**
 * The query parameters: form parameters must not be sent in the query (RFC 6749 section 2.3.1, RFC 7662 section 4).
 */
export const IntrospectionQuery = Type.Object(
  Object.fromEntries(
    Object.keys(IntrospectionForm.properties).map((name) => [name, Type.Optional(Type.Never())]),
  ),
  { additionalProperties: true },
);

/** An introspection request of an authenticated caller. */
export interface CallersRequest extends IntrospectionRequest {
  readonly caller: IntrospectionCaller;
}

/**
 * Reads the token and `revoke` from the form of a caller.
 * @throws DomainError `invalid_request` without a `token`, or with a `revoke` other than `true` and `false`
 */
export function callersRequest({ token, revoke }: Form, caller: IntrospectionCaller): CallersRequest {
  if (token === undefined || token === '') throw new DomainError('invalid_request', 'token: is missing');
  if (revoke !== undefined && revoke !== 'true' && revoke !== 'false')
    throw new DomainError('invalid_request', 'revoke: must be true or false');
  return { token, revoke: revoke === 'true', caller };
}
