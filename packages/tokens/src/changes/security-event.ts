import { signJwt } from '@vestibule/crypto/jwt';
import type { KeyRing } from '@vestibule/crypto/signing-keys';
import { type Clock, type Issuer, nowSeconds } from '@vestibule/protocol';
import { type AsymmetricAlgorithm, ENDPOINT_PATH, JWT_TYP } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { type Change, changeEvent } from './change.js';

/** Dependencies of {@link issueSecurityEvent}. */
export interface SecurityEventDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  /** The provider's key ring. */
  readonly keys: Pick<KeyRing, 'signingKey'>;
  readonly algorithm: AsymmetricAlgorithm;
  /** `aud`: the receiver. */
  readonly audience: string;
}

/** The event of a session that was ended before its time (OpenID CAEP 1.0 section 3.1). */
export const SESSION_REVOKED = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';

/**
 * Issues a Security Event Token (RFC 8417 section 2) about a change, signed. Its `jti` is that of the change, so that a
 * receiver recognises one that is sent again. It has no `exp` and no `sub`, so that it passes for no other token
 * (RFC 8417 section 4).
 * @throws KeyStateError when there is no active key for the algorithm
 */
export async function issueSecurityEvent(deps: SecurityEventDeps, change: Change): Promise<string> {
  const { clock, issuer, keys, algorithm, audience } = deps;
  const claims = {
    iss: issuer,
    aud: audience,
    iat: nowSeconds(clock),
    jti: securityEventId(change),
    toe: change.occurredAt,
    ...subjectOf(issuer, change),
    events: eventOf(issuer, change),
  };
  return signJwt({ key: keys.signingKey(algorithm), typ: JWT_TYP.securityEvent, claims });
}

/** A reset has the identifier of another change. */
function securityEventId({ id, type }: Change): string {
  return type === 'reset' ? `reset-${id}` : id;
}

/** One event, under the registered type if it means the same. A session that expired was not revoked. */
function eventOf(issuer: Issuer, change: Change): JsonObject {
  const { type, reason, occurredAt } = change;
  const event = changeEvent(change);
  return type === 'session.ended' && reason !== 'expired'
    ? { [SESSION_REVOKED]: { ...event, event_timestamp: occurredAt } }
    : { [`${issuer}${ENDPOINT_PATH.directAuthorization}/changes#${type}`]: event };
}

/** A session of an end-user (OpenID Shared Signals Framework 1.0 section 3.3), or an end-user (RFC 9493 section 3.2.3). */
function subjectOf(issuer: Issuer, { type, members }: Change): JsonObject {
  const { sub, sid = '', covers } = members;
  const user = { format: 'iss_sub', iss: issuer, sub: sub ?? '' };
  if (covers === 'subject') return { sub_id: user };
  if (type !== 'session.ended' && covers !== 'session') return {};
  const session = { format: 'opaque', id: sid };
  return { sub_id: sub === undefined ? session : { format: 'complex', user, session } };
}
