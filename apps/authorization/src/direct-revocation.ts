import {
  CLIENT_ID_MAX_LENGTH,
  type ClientId,
  DomainError,
  type EpochSeconds,
  epochSeconds,
  nowSeconds,
  parseClientId,
} from '@vestibule/protocol';
import { JWT_MAX_LENGTH } from '@vestibule/tokens';
import { MAX_TOKEN_LIFETIME_SECONDS } from '@vestibule/tokens/issuing';
import { revokeSubject, revokeToken, UNKNOWN_TOKEN_LIFETIME_SECONDS } from '@vestibule/tokens/revocation';
import { Type } from 'typebox';
import type { DirectAuthorizationDeps } from './deps.js';
import { MAX_NAME_LENGTH, SAFE_TEXT } from './direct-authorization-request.js';

const Text = (description: string, maxLength: number) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, pattern: SAFE_TEXT, description }));

const SECONDS_PER_DAY = 86_400;

/** The JSON body of POST /direct-authz/revoke: exactly one of its members, `exp` apart. */
export const DirectRevocationRequest = Type.Object(
  {
    token: Text('A token of any kind.', JWT_MAX_LENGTH),
    client_id: Text('Every token and grant of a client.', CLIENT_ID_MAX_LENGTH),
    sub: Text(
      'Every token, grant and session of an end-user; the clients of the sessions are notified.',
      MAX_NAME_LENGTH,
    ),
    sid: Text('Every token of a session, by either of its identifiers.', MAX_NAME_LENGTH),
    exp: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 253_402_300_799,
        description: `With \`token\`: when it expires, NumericDate, at most a year ahead. A token that is not known here stays revoked until then if it is imported later. Default: ${UNKNOWN_TOKEN_LIFETIME_SECONDS / SECONDS_PER_DAY} days from now.`,
      }),
    ),
  },
  { $id: 'RevocationRequest', additionalProperties: false },
);

/** A revocation request. */
export type DirectRevocationRequest = Type.Static<typeof DirectRevocationRequest>;

/**
 * Revokes what the request names; what does not exist or is inactive counts as revoked. When it returns, the revocation
 * is stored.
 *
 * @throws DomainError `invalid_request` unless the request has exactly one member, or `token` and `exp`
 * @throws KeyEncryptionError for a token that is not found and may be under a digest key that cannot be decrypted
 */
export async function directRevocation(
  deps: DirectAuthorizationDeps,
  { exp, ...named }: DirectRevocationRequest,
): Promise<void> {
  if (Object.keys(named).length !== 1)
    throw new DomainError('invalid_request', 'exactly one of token, client_id, sub and sid is required');
  const { revocations } = deps;
  const now = nowSeconds(deps.clock);
  const { token, client_id: clientId, sub, sid } = named;
  if (exp !== undefined && token === undefined)
    throw new DomainError('invalid_request', 'exp: is for a token only');
  const expiresAt = exp === undefined ? undefined : expiryOf(exp, now);
  if (token !== undefined) await revokeToken(deps, token, { expiresAt });
  if (clientId !== undefined) await revocations.revokeClient(wellFormed(clientId), now);
  if (sub !== undefined) await revokeSubject(deps, sub, now);
  if (sid !== undefined) await revocations.revokeSession(sid, now);
}

function expiryOf(exp: number, now: EpochSeconds): EpochSeconds {
  if (exp > now + MAX_TOKEN_LIFETIME_SECONDS)
    throw new DomainError(
      'invalid_request',
      `exp: must be at most ${MAX_TOKEN_LIFETIME_SECONDS} seconds from now`,
    );
  return epochSeconds(exp);
}

function wellFormed(id: string): ClientId {
  const clientId = parseClientId(id);
  if (clientId === undefined)
    throw new DomainError('invalid_request', 'client_id: is not a client identifier');
  return clientId;
}
