import {
  audienceClaim,
  decodeUnverifiedJwt,
  isExpired,
  isInFuture,
  JoseFailure,
  numericDateClaim,
  textClaim,
  type UnverifiedJwt,
  verifyJwt,
} from '@vestibule/crypto/jwt';
import type { RemoteKeySets } from '@vestibule/crypto/public-keys';
import { type Clock, DomainError, type Issuer, nowSeconds } from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS, registrationEndpoint } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import type { SoftwareStatementVerifier } from '../registration/registration-deps.js';
import { type StatementIssuers, statementKeys } from './statement-issuers.js';

/** Dependencies of the verifier. */
export interface SoftwareStatementVerifierDeps {
  readonly issuers: StatementIssuers;
  readonly remoteKeySets: Pick<RemoteKeySets, 'verificationKeys'>;
  readonly clock: Clock;
  /** Our issuer identifier: the `aud` of a statement must name it or the registration endpoint. */
  readonly issuer: Issuer;
  /** Accepted `typ` headers of statements; `undefined` means absent. Default: absent or `JWT`. */
  readonly types?: readonly (string | undefined)[];
  /** Maximum length of a statement, in characters. Default 16,384. */
  readonly maxLength?: number;
}

const DEFAULTS = { types: [undefined, 'JWT'], maxLength: 16_384 };

/** Tolerated clock skew of an issuer. */
const LEEWAY_SECONDS = 30;

/**
 * Creates a verifier of software statements (RFC 7591 section 2.3): JWTs signed with a key pair of the trusted issuer
 * in `iss`. `exp`, `nbf`, `iat` and `aud` are checked if present. A well-formed statement of another issuer is
 * unapproved, whatever its signature; everything else that cannot be verified is invalid.
 */
export function createSoftwareStatementVerifier(
  deps: SoftwareStatementVerifierDeps,
): SoftwareStatementVerifier {
  const { issuers, remoteKeySets, types, maxLength } = { ...DEFAULTS, ...deps };
  const read = (statement: string) => {
    const unverified = decodeUnverifiedJwt(statement, maxLength);
    const issuerKeys = issuers.get(statedIssuer(unverified));
    if (issuerKeys === undefined) throw unapproved();
    return { claims: unverified.claims, issuerKeys };
  };
  return {
    verify: (statement) =>
      orInvalid(async () => {
        const { issuerKeys } = read(statement);
        const keys = statementKeys(issuerKeys, remoteKeySets);
        const options = { keys, algorithms: ASYMMETRIC_ALGORITHMS, types, maxLength };
        const { claims } = await verifyJwt(statement, options);
        requireTimes(claims, deps.clock);
        requireAudience(claims, deps.issuer);
        return claims;
      }),
    readVerified: (statement) => orInvalid(async () => read(statement).claims),
  };
}

/** The `iss` of a statement. Not verified: use it only to choose among configured keys. */
function statedIssuer({ header, claims }: UnverifiedJwt): string {
  if (!ASYMMETRIC_ALGORITHMS.some((algorithm) => algorithm === header.alg))
    throw new JoseFailure('algorithm', 'algorithm is not accepted');
  const issuer = textClaim(claims, 'iss');
  if (issuer === undefined) throw new JoseFailure('claims', 'iss is missing');
  return issuer;
}

function requireTimes(claims: JsonObject, clock: Clock): void {
  const now = nowSeconds(clock);
  const expiresAt = numericDateClaim(claims, 'exp');
  if (expiresAt !== undefined && isExpired(expiresAt, now))
    throw new JoseFailure('claims', 'statement has expired');
  for (const name of ['nbf', 'iat']) {
    const time = numericDateClaim(claims, name);
    if (time !== undefined && isInFuture(time, now, LEEWAY_SECONDS))
      throw new JoseFailure('claims', `${name} lies in the future`);
  }
}

// RFC 7519 section 4.1.3: a token with an audience is for no other recipient.
function requireAudience(claims: JsonObject, issuer: Issuer): void {
  const ours: readonly string[] = [issuer, registrationEndpoint(issuer)];
  const audience = audienceClaim(claims);
  if (audience !== undefined && !audience.some((recipient) => ours.includes(recipient)))
    throw new JoseFailure('claims', 'statement is for another audience');
}

async function orInvalid<T>(evaluate: () => Promise<T>): Promise<T> {
  try {
    return await evaluate();
  } catch (cause) {
    if (!(cause instanceof JoseFailure)) throw cause;
    const description = 'The software statement cannot be verified.';
    throw new DomainError('invalid_software_statement', description, { detail: cause.message, cause });
  }
}

function unapproved(): DomainError {
  return new DomainError(
    'unapproved_software_statement',
    'The issuer of the software statement is not trusted here.',
  );
}
