import type { Client } from '@vestibule/clients';
import {
  decodeUnverifiedJwt,
  isExpired,
  isInFuture,
  isSoleAudience,
  JoseFailure,
  type KeyHint,
  numericDateClaim,
  requireType,
  sha256,
  textClaim,
  type VerificationKeySource,
  verifyJwt,
} from '@vestibule/crypto';
import {
  type ClientId,
  type Clock,
  type EpochSeconds,
  epochSeconds,
  type JsonObject,
  nowSeconds,
} from '@vestibule/protocol';
import type { AssertionKeyDeps, AssertionMethod } from './assertion-method.js';
import type { ClientAssertionDeps } from './client-assertion-deps.js';
import type { ClientAuthDeps } from './client-auth-deps.js';
import { nobodysKeys } from './nobodys-keys.js';

/** The longest assertion, in characters. */
export const ASSERTION_MAX_LENGTH = 16_384;

const DEFAULT_MAX_LIFETIME_SECONDS = 300;

/** How far the clock of a client may be ahead of ours. */
const LEEWAY_SECONDS = 30;

/** What `typ` of an assertion may be. */
export const ASSERTION_TYPES = [undefined, 'JWT', 'client-authentication+jwt'];

/** What judging an assertion takes once its signature stands. */
export interface AssertionUseDeps {
  readonly clock: Clock;
  readonly assertions: Omit<ClientAssertionDeps, 'sealer'>;
}

/** An assertion whose signature stands: somebody has verified it with a key of the client. */
export interface SignedAssertion {
  readonly assertion: string;
  /** Its `sub`. */
  readonly clientId: ClientId;
}

/** An assertion, and the client that it names. */
export interface AssertionToJudge extends SignedAssertion {
  readonly method: AssertionMethod;
  /** `undefined` when there is none. */
  readonly client: Client | undefined;
}

/**
 * Why an assertion does not prove a client, in a sentence for operators; `undefined` when it does (RFC 7523 section 3).
 * An assertion proves it once: its `jti` is recorded after everything else stands, so that nobody who cannot sign uses
 * up the identifiers of others.
 * @throws Error when no store can say whether the assertion was used: then it proves nothing.
 */
export async function whyAssertionRefused(
  deps: ClientAuthDeps,
  judged: AssertionToJudge,
): Promise<string | undefined> {
  const { assertions } = deps;
  if (assertions === undefined) return 'client assertions are not accepted here';
  const present = { ...deps, assertions };
  return whyUseRefused(present, judged.clientId, () => verifiedClaims(present, judged));
}

/**
 * The same for an assertion whose signature was verified elsewhere, with a key of the client in `sub`.
 * @throws Error when no store can say whether the assertion was used: then it proves nothing.
 */
export async function whySignedAssertionRefused(
  deps: AssertionUseDeps,
  { assertion, clientId }: SignedAssertion,
): Promise<string | undefined> {
  return whyUseRefused(deps, clientId, async () => {
    const { header, claims } = decodeUnverifiedJwt(assertion, ASSERTION_MAX_LENGTH);
    requireType(header, ASSERTION_TYPES);
    return claims;
  });
}

async function whyUseRefused(
  deps: AssertionUseDeps,
  clientId: ClientId,
  readClaims: () => Promise<JsonObject>,
): Promise<string | undefined> {
  const { assertions } = deps;
  try {
    const use = checkedUse(deps, clientId, await readClaims());
    const outcome = await assertions.replays.recordUse(use.digest, use.keepUntil);
    if (outcome === 'unavailable') throw new Error('no store can say whether an assertion was used');
    return outcome === 'fresh' ? undefined : 'the assertion was used before';
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    return `the assertion is not acceptable: ${error.message}`;
  }
}

/** Verifies in every case, with keys of nobody's where the client has none, so that time does not tell. */
async function verifiedClaims(
  deps: AssertionKeyDeps,
  { assertion, method, client }: AssertionToJudge,
): Promise<JsonObject> {
  let isNobodys = false;
  const keys: VerificationKeySource = async (hint) => {
    const own = client === undefined ? [] : await keysOf(deps, { method, client }, hint);
    isNobodys = own.length === 0;
    return isNobodys ? nobodysKeys(hint) : own;
  };
  const options = {
    keys,
    algorithms: method.algorithms,
    types: ASSERTION_TYPES,
    maxLength: ASSERTION_MAX_LENGTH,
  };
  const verified = await verifyJwt(assertion, options).catch((error: unknown) => {
    if (isNobodys && error instanceof JoseFailure) return undefined;
    throw error;
  });
  if (verified === undefined || isNobodys) throw new JoseFailure('key', 'the client has no key for it');
  return verified.claims;
}

async function keysOf(
  deps: AssertionKeyDeps,
  { method, client }: { readonly method: AssertionMethod; readonly client: Client },
  hint: KeyHint,
) {
  const { token_endpoint_auth_method: name, token_endpoint_auth_signing_alg: algorithm } = client.metadata;
  if (name !== method.name || (algorithm !== undefined && algorithm !== hint.alg)) return [];
  return method.keys(deps, client)(hint);
}

/** What is recorded of an assertion. */
interface AssertionUse {
  readonly digest: Uint8Array;
  readonly keepUntil: EpochSeconds;
}

/** Checks everything that the claims of an assertion must say. */
function checkedUse(deps: AssertionUseDeps, clientId: ClientId, claims: JsonObject): AssertionUse {
  if (textClaim(claims, 'iss') !== clientId) throw new JoseFailure('claims', 'iss is not the client in sub');
  requireAudience(claims, deps);
  const expiresAt = requireTimes(claims, deps);
  const jti = textClaim(claims, 'jti');
  if (jti === undefined) throw new JoseFailure('claims', 'jti is missing');
  return {
    digest: sha256(JSON.stringify(['client_assertion', clientId, jti])),
    // A process whose clock is behind must still find the record.
    keepUntil: epochSeconds(expiresAt + LEEWAY_SECONDS),
  };
}

// One that is meant for others too could be replayed by them, or have been obtained by them.
function requireAudience(claims: JsonObject, { assertions }: AssertionUseDeps): void {
  const { issuer, endpointAudiences = [] } = assertions;
  if (!isSoleAudience(claims, [issuer, ...endpointAudiences]))
    throw new JoseFailure('claims', 'aud is not our issuer alone');
}

function requireTimes(claims: JsonObject, { clock, assertions }: AssertionUseDeps): EpochSeconds {
  const now = nowSeconds(clock);
  const { maxLifetimeSeconds = DEFAULT_MAX_LIFETIME_SECONDS } = assertions;
  const expiresAt = numericDateClaim(claims, 'exp');
  if (expiresAt === undefined || isExpired(expiresAt, now))
    throw new JoseFailure('claims', 'exp is missing or has passed');
  if (isInFuture(expiresAt, now, maxLifetimeSeconds)) throw new JoseFailure('claims', 'exp is too far ahead');
  for (const name of ['iat', 'nbf']) {
    const time = numericDateClaim(claims, name);
    if (time !== undefined && isInFuture(time, now, LEEWAY_SECONDS))
      throw new JoseFailure('claims', `${name} lies in the future`);
  }
  return expiresAt;
}
