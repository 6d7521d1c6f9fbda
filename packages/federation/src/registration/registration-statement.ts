import { type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import { type AsymmetricAlgorithm, JWT_TYP, MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import type { EntityId } from '../entity-id.js';
import type { Profile } from '../profile.js';
import { RELYING_PARTY } from './explicit-request.js';
import type { RegistrationTrust } from './resolve-registration.js';

/** The result of a registration. */
export interface RegistrationOutcome {
  readonly profile: Profile;
  /** Our own entity identifier. */
  readonly self: EntityId;
  readonly trust: RegistrationTrust;
  /** The client information: the registered metadata, with `client_id` and any secret. */
  readonly registered: JsonObject;
  readonly issuedAt: EpochSeconds;
  /** Expiry of the registration, if earlier than that of the chain. */
  readonly expiresAt?: EpochSeconds;
}

/** A statement to sign with a federation key, with its media type. */
export interface RegistrationStatement {
  readonly mediaType: string;
  readonly typ: string;
  /** The only permitted algorithm; absent if all are. */
  readonly algorithm: AsymmetricAlgorithm | undefined;
  readonly claims: JsonObject;
  readonly expiresAt: EpochSeconds;
}

/** Members with which a client could manage what the federation decides (OpenID Federation 1.0 section 12.2.3). */
const UNFIT_MEMBERS = ['registration_access_token', 'registration_client_uri'];

/**
 * The response to a registration in the profile of the request: policy operations that lead to the registered metadata
 * (federation/API.md#registration-statement), or the registered metadata (OpenID Federation 1.0 section 12.2.3). It
 * never outlives the chain.
 * @throws RangeError if a client secret would expire before the registration.
 */
export function registrationStatement(outcome: RegistrationOutcome): RegistrationStatement {
  const { profile, self, trust, issuedAt } = outcome;
  const { chain } = trust;
  const expiresAt = epochSeconds(Math.min(trust.expiresAt, outcome.expiresAt ?? trust.expiresAt));
  const members = Object.entries(outcome.registered).filter(([name]) => !UNFIT_MEMBERS.includes(name));
  requireLastingSecret(outcome.registered, expiresAt);
  const subject = chain.subject.subject;
  const common = {
    iss: self,
    sub: subject,
    aud: subject,
    iat: issuedAt,
    exp: expiresAt,
    authority_hints: chain.entities.slice(1, 2),
  };
  return profile === 'draft'
    ? {
        mediaType: MEDIA_TYPE.jose,
        typ: 'JWT',
        algorithm: 'RS256',
        claims: {
          ...common,
          metadata_policy: { [RELYING_PARTY]: asPolicy([...members, ...leftOut(outcome)]) },
        },
        expiresAt,
      }
    : {
        mediaType: MEDIA_TYPE.explicitRegistrationResponseJwt,
        typ: JWT_TYP.explicitRegistrationResponse,
        algorithm: undefined,
        claims: {
          ...common,
          trust_anchor: chain.anchor,
          jwks: { keys: chain.subject.jwks.keys },
          metadata: { [RELYING_PARTY]: Object.fromEntries(members) },
        },
        expiresAt,
      };
}

/**
 * Members that the relying party submitted and that are not registered, because a superior removed them or its granted
 * scopes do not cover them: policies show them with the value `null`.
 */
function leftOut({
  trust: { chain },
  registered,
}: RegistrationOutcome): readonly (readonly [string, null])[] {
  const resolved = chain.metadata[RELYING_PARTY] ?? {};
  return Object.keys(chain.subject.metadata[RELYING_PARTY] ?? {})
    .filter((name) => !Object.hasOwn(registered, name))
    .filter((name) => !Object.hasOwn(resolved, name) || name === 'scope')
    .map((name) => [name, null]);
}

function asPolicy(members: readonly (readonly [string, JsonObject[string]])[]): JsonObject {
  return Object.fromEntries(members.map(([name, value]) => [name, { value }]));
}

function requireLastingSecret({ client_secret_expires_at: end }: JsonObject, expiresAt: EpochSeconds): void {
  if (typeof end === 'number' && end !== 0 && end < expiresAt)
    throw new RangeError('a client secret ends before the registration');
}
