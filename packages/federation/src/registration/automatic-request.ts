import { JoseFailure, verifyJwt } from '@vestibule/crypto/jwt';
import { type PublicJwkSet, verificationKeysIn } from '@vestibule/crypto/public-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS, JWT_TYP } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import type { CandidateChain } from '../chains/candidate-chain.js';
import { readGivenChain } from '../chains/given-chain.js';
import { type EntityId, parseEntityId } from '../entity-id.js';
import { FederationFailure } from '../federation-failure.js';
import { decodeStatement } from '../statements/decode-statement.js';
import type { UnverifiedStatement } from '../statements/entity-statement.js';
import {
  claimOf,
  optionalTime,
  readAudience,
  requireText,
  requireTime,
} from '../statements/statement-claims.js';
import { requireAlive } from '../statements/verify-statement.js';
import type { Recipient } from './explicit-request.js';
import { orMalformed, untrusted } from './refusals.js';

/** How an entity authenticates its request. */
export type AutomaticProof = 'request_object' | 'client_assertion';

/** A proof whose claims are well-formed, and whose signature is not verified yet. */
export interface AutomaticRequest {
  readonly proof: AutomaticProof;
  readonly clientId: EntityId;
  readonly token: string;
  /** Can be used once by this client. */
  readonly jti: string;
  readonly expiresAt: EpochSeconds;
  /** The claims; for a request object, the parameters of the request. */
  readonly claims: JsonObject;
  readonly chain: CandidateChain | undefined;
  readonly peerChain: CandidateChain | undefined;
}

/** The rules by which a proof is parsed. */
export interface AutomaticRules extends Recipient {
  /** Our endpoints that a request object may name in `aud` besides our own identifier. */
  readonly requestEndpoints: readonly string[];
  readonly now: EpochSeconds;
  /** Maximum time until `exp`, in seconds. */
  readonly maxLifetimeSeconds: number;
}

/** Maximum length of a proof in characters, including chains in the header. */
const MAX_LENGTH = 393_216;

const TYPES: Readonly<Record<AutomaticProof, readonly (string | undefined)[]>> = {
  request_object: [undefined, 'JWT', JWT_TYP.requestObject],
  client_assertion: [undefined, 'JWT', 'client-authentication+jwt'],
};

/**
 * Makes the cheap checks of an automatic registration, before any fetch: the client identifier is an entity identifier,
 * and the proof is a JWT signed with a key pair, with the right issuer and audience, not expired and short-lived.
 * @param clientId The `client_id` beside the proof.
 * @throws DomainError `invalid_request`.
 * @see OpenID Federation 1.0 section 12.1.1
 */
export function readAutomaticRequest(
  proof: AutomaticProof,
  token: string,
  clientId: unknown,
  rules: AutomaticRules,
): AutomaticRequest {
  return orMalformed(() => {
    const entityId = parseEntityId(clientId, rules.allowHosts);
    if (entityId === undefined)
      throw new FederationFailure('claims', 'client_id is not an entity identifier');
    const statement = decodeStatement(token, MAX_LENGTH);
    requireHeader(statement, proof);
    requireParties(statement.claims, proof, entityId, rules);
    const expiresAt = requireShortLife(statement.claims, rules);
    const jti = requireText(statement.claims, 'jti');
    return {
      proof,
      clientId: entityId,
      token,
      jti,
      expiresAt,
      claims: statement.claims,
      ...readChains(statement, entityId, rules),
    };
  });
}

/**
 * Verifies the proof with the keys in the resolved metadata of the entity, which are not its federation keys.
 * @throws DomainError `unauthorized_client`.
 */
export async function verifyAutomaticRequest(
  { token, proof }: AutomaticRequest,
  jwks: PublicJwkSet,
): Promise<void> {
  try {
    await verifyJwt(token, {
      keys: verificationKeysIn(jwks),
      algorithms: ASYMMETRIC_ALGORITHMS,
      types: TYPES[proof],
      maxLength: MAX_LENGTH,
    });
  } catch (cause) {
    if (cause instanceof JoseFailure) throw untrusted(cause.message, cause);
    throw cause;
  }
}

function requireHeader({ header }: UnverifiedStatement, proof: AutomaticProof): void {
  if (!ASYMMETRIC_ALGORITHMS.some((algorithm) => algorithm === header.alg))
    throw new FederationFailure('algorithm', 'algorithm is not accepted');
  if (!TYPES[proof].includes(header.typ))
    throw new FederationFailure('wrong_type', 'typ is not that of the proof');
}

/**
 * A request object must not be usable as an assertion: it has no `sub`, unless it names several of our URLs in `aud`,
 * which an assertion must not (the format of the Italian federations). Nor does it contain a request object itself.
 */
function requireParties(
  claims: JsonObject,
  proof: AutomaticProof,
  clientId: EntityId,
  rules: AutomaticRules,
): void {
  const names = proof === 'request_object' ? ['iss', 'client_id'] : ['iss', 'sub'];
  if (!names.every((name) => claimOf(claims, name) === clientId))
    throw new FederationFailure('claims', `${names.join(' and ')} must both be the client`);
  const audience = requireAudience(claims, proof, rules);
  if (proof === 'client_assertion') return;
  const unfit = ['request', 'request_uri'];
  if (unfit.some((name) => Object.hasOwn(claims, name)))
    throw new FederationFailure('claims', `a request object has none of ${unfit.join(', ')}`);
  const isUnambiguous = audience.length > 1 && claimOf(claims, 'sub') === clientId;
  if (Object.hasOwn(claims, 'sub') && !isUnambiguous)
    throw new FederationFailure(
      'claims',
      'a request object with sub must name the client in it, and both the issuer and an endpoint in aud',
    );
}

/** The audience: only this provider, and for a request object also our endpoints. */
function requireAudience(
  claims: JsonObject,
  proof: AutomaticProof,
  { self, requestEndpoints }: AutomaticRules,
): readonly string[] {
  const audience = readAudience(claims) ?? [];
  const others = audience.filter((value) => value !== self);
  const isOurs = proof === 'request_object' && others.every((value) => requestEndpoints.includes(value));
  const isForUs = others.length === audience.length - 1 && (others.length === 0 || isOurs);
  if (!isForUs) throw new FederationFailure('audience', 'aud is not this provider alone');
  return audience;
}

function requireShortLife(claims: JsonObject, { now, maxLifetimeSeconds }: AutomaticRules): EpochSeconds {
  const expiresAt = requireTime(claims, 'exp');
  const issuedAt = optionalTime(claims, 'iat') ?? now;
  requireAlive({ issuedAt, expiresAt }, now);
  requireAlive({ issuedAt: optionalTime(claims, 'nbf') ?? now }, now);
  if (expiresAt > now + maxLifetimeSeconds) throw new FederationFailure('claims', 'exp lies too far ahead');
  return expiresAt;
}

function readChains({ header }: UnverifiedStatement, clientId: EntityId, { allowHosts }: AutomaticRules) {
  const rules = { profile: 'final', allowHosts } as const;
  const [own, peer] = [claimOf(header.members, 'trust_chain'), claimOf(header.members, 'peer_trust_chain')];
  const chain = own === undefined ? undefined : readGivenChain(own, rules);
  if (chain !== undefined && chain.subject.subject !== clientId)
    throw new FederationFailure('given_chain', 'the chain is about another entity');
  return { chain, peerChain: peer === undefined ? undefined : readGivenChain(peer, rules) };
}
