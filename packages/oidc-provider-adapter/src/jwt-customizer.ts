import { type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import { isJsonObject, type JsonObject } from '@vestibule/protocol/json';
import type { AccessToken } from '@vestibule/tokens';
import { accessTokenClaims } from '@vestibule/tokens/issuing';
import type { ProviderRecords } from '@vestibule/tokens/provider';
import { accessTokenOf } from './access-token-of.js';
import type { AdapterOptions } from './adapter-options.js';
import { required, storablePayload } from './model-payload.js';

/** A self-contained token before it is signed. */
export interface UnsignedJwt {
  header?: object | undefined;
  payload: Record<string, unknown>;
}

/** The library's hook `formats.customizers.jwt`. */
export type JwtCustomizer = (context: unknown, token: object, jwt: UnsignedJwt) => Promise<void>;

/**
 * Gives self-contained access tokens the same claims as ours (RFC 9068 section 2.2), and records each by its `jti`, so
 * that it is revoked with the grant under which it was issued. Each counts as a use of its client.
 */
export function jwtCustomizer(
  options: Pick<
    AdapterOptions,
    'issuer' | 'records' | 'digester' | 'clock' | 'accessTokenType' | 'endsOfflineAccess'
  >,
): JwtCustomizer {
  const { issuer, records, digester, clock, accessTokenType, endsOfflineAccess } = options;
  return async (_context, token, jwt) => {
    const { iat, exp, jti: given } = jwt.payload;
    const jti = required(typeof given === 'string' ? given : undefined, 'jti');
    const now = nowSeconds(clock);
    const made = accessTokenOf(storablePayload({ ...modelOf(token), iat, exp }), {
      issuer,
      now,
      endsOfflineAccess,
    });
    const state = await inSessionOfClient(records, made, now);
    jwt.payload = accessTokenClaims({ ...state, jti });
    if (accessTokenType !== undefined) jwt.header = { ...jwt.header, typ: accessTokenType };
    const { authorizationId, clientId, expiresAt } = state;
    if (authorizationId === undefined) return records.clientUses.note(clientId, now);
    const digest = digester.digest('artifact', jti);
    await records.authorizations.addJwt({ digest, issuer, jti, authorizationId, expiresAt }, now);
  };
}

/**
 * Sets `sid` to the client's own identifier of the session, whether the client registered `sid` or not. The session may
 * end at that client alone, which revokes self-contained tokens by this `sid`: the identifier of the session itself is
 * in those of other clients too.
 */
async function inSessionOfClient(
  { sessions }: Pick<ProviderRecords, 'sessions'>,
  state: AccessToken,
  now: EpochSeconds,
): Promise<AccessToken> {
  if (state.sessionId === undefined) return state;
  const known = await sessions.identify(state.sessionId, state.clientId, now);
  return known?.sid === undefined ? state : { ...state, sessionId: known.sid };
}

/** The members of a model that its payload consists of. */
function modelOf(token: object): JsonObject {
  const names = ['clientId', 'accountId', 'grantId', 'scope', 'aud', 'sid', 'sessionUid', 'jkt', 'x5t#S256'];
  const members: Record<string, unknown> = { ...token };
  const texts = names
    .map((name) => [name, members[name]] as const)
    .filter(([, value]) => typeof value === 'string');
  const { extra, rar, expiresWithSession } = members;
  return {
    ...(Object.fromEntries(texts) as Record<string, string>),
    ...(isJsonObject(extra) && { extra }),
    ...(Array.isArray(rar) && { rar }),
    ...(expiresWithSession === true && { expiresWithSession }),
  };
}
