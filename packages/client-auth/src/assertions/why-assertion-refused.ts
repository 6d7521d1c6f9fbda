import type { Client } from '@vestibule/clients';
import {
  decodeUnverifiedJwt,
  JoseFailure,
  type KeyHint,
  requireType,
  type VerificationKeySource,
  verifyJwt,
} from '@vestibule/crypto/jwt';
import type { ClientId, Clock } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { decoyKeys } from '../cache/decoy-keys.js';
import type { ClientAuthDeps } from '../client-auth-deps.js';
import { type ClientRefusal, undisclosedRefusal } from '../client-refusal.js';
import { evaluateClaims } from './assertion-claims.js';
import type { AssertionKeyDeps, AssertionMethod } from './assertion-method.js';
import type { ClientAssertionDeps } from './client-assertion-deps.js';

/** Maximum length of an assertion, in characters. */
export const ASSERTION_MAX_LENGTH = 16_384;

/** Accepted `typ` values of an assertion. */
export const ASSERTION_TYPES = [undefined, 'JWT', 'client-authentication+jwt'];

/** Dependencies of checking a verified assertion. */
export interface AssertionUseDeps {
  readonly clock: Clock;
  readonly assertions: Omit<ClientAssertionDeps, 'encryptor'>;
}

/** An assertion and the client in its `sub`. */
export interface NamedAssertion {
  readonly assertion: string;
  /** Its `sub`. */
  readonly clientId: ClientId;
}

/** An assertion whose signature was verified with a key of the client. */
export interface SignedAssertion extends NamedAssertion {
  /** The current client. */
  readonly client: Pick<Client, 'federation'> | undefined;
}

/** An assertion and the client that it names. */
export interface AssertionToEvaluate extends NamedAssertion {
  readonly method: AssertionMethod;
  /** `undefined` if the client does not exist. */
  readonly client: Client | undefined;
}

/**
 * Explains why an assertion cannot authenticate any client; `undefined` if its signature must be verified first. Does
 * not read the client, so every caller may learn the reason.
 */
export function whyAssertionUnfit(
  { clock, assertions }: Pick<AssertionUseDeps, 'clock'> & { readonly assertions?: Unrecorded },
  { assertion, clientId }: NamedAssertion,
): ClientRefusal | undefined {
  if (assertions === undefined) return undefined;
  try {
    const { header, claims } = decodeUnverifiedJwt(assertion, ASSERTION_MAX_LENGTH);
    return whyTypeRefused(header) ?? evaluateClaims({ clock, assertions }, clientId, claims).refusal;
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    return unreadableAssertion(error);
  }
}

type Unrecorded = Omit<AssertionUseDeps['assertions'], 'replays'>;

/** The refusal for a malformed assertion. */
export function unreadableAssertion({ message }: JoseFailure): ClientRefusal {
  return {
    reason: 'assertion_malformed',
    detail: `the assertion cannot be read: ${message}`,
    description: 'client_assertion cannot be read as a signed JWT',
  };
}

/**
 * Explains why an assertion does not authenticate a client; `undefined` if it does (RFC 7523 section 3). An assertion
 * can be used once: its `jti` is recorded after all other checks, so that only the client's own assertions use up its
 * identifiers.
 * @throws Error when no store can tell whether the assertion was used: then it proves nothing.
 */
export async function whyAssertionRefused(
  deps: ClientAuthDeps,
  evaluated: AssertionToEvaluate,
): Promise<ClientRefusal | undefined> {
  const { assertions } = deps;
  if (assertions === undefined) return undisclosedRefusal('client assertions are not supported');
  const present = { ...deps, assertions };
  try {
    const claims = await verifiedClaims(present, evaluated);
    return await whyUseRefused(present, evaluated, claims);
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    return undisclosedRefusal(`the assertion is not acceptable: ${error.message}`);
  }
}

/**
 * Checks an assertion whose signature was already verified with a key of the client in `sub`.
 * @throws Error when no store can tell whether the assertion was used: then it proves nothing.
 */
export async function whySignedAssertionRefused(
  deps: AssertionUseDeps,
  signed: SignedAssertion,
): Promise<ClientRefusal | undefined> {
  try {
    const { header, claims } = decodeUnverifiedJwt(signed.assertion, ASSERTION_MAX_LENGTH);
    return whyTypeRefused(header) ?? (await whyUseRefused(deps, signed, claims));
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    return unreadableAssertion(error);
  }
}

function whyTypeRefused(header: Parameters<typeof requireType>[0]): ClientRefusal | undefined {
  try {
    requireType(header, ASSERTION_TYPES);
    return undefined;
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    const description = 'client_assertion: typ must be JWT or client-authentication+jwt, or absent';
    return { reason: 'assertion_type', description, detail: description };
  }
}

async function whyUseRefused(
  deps: AssertionUseDeps,
  { clientId, client }: SignedAssertion,
  claims: JsonObject,
): Promise<ClientRefusal | undefined> {
  const { use, refusal } = evaluateClaims(deps, clientId, claims, client);
  if (use === undefined) return refusal;
  const outcome = await deps.assertions.replays.recordUse(use.digest, use.keepUntil);
  if (outcome === 'unavailable') throw new Error('no store can tell whether an assertion was used');
  return outcome === 'fresh' ? undefined : USED_BEFORE;
}

const USED_BEFORE: ClientRefusal = {
  reason: 'assertion_replayed',
  detail: 'the assertion was used before',
  description: 'client_assertion: jti was used before; every request needs a new assertion',
};

/** Always verifies, with decoy keys if the client has none, so that timing reveals nothing. */
async function verifiedClaims(
  deps: AssertionKeyDeps,
  { assertion, method, client }: AssertionToEvaluate,
): Promise<JsonObject> {
  let isDecoy = false;
  const keys: VerificationKeySource = async (hint) => {
    const own = client === undefined ? [] : await keysOf(deps, { method, client }, hint);
    isDecoy = own.length === 0;
    return isDecoy ? decoyKeys(hint) : own;
  };
  const options = {
    keys,
    algorithms: method.algorithms,
    types: ASSERTION_TYPES,
    maxLength: ASSERTION_MAX_LENGTH,
  };
  const verified = await verifyJwt(assertion, options).catch((error: unknown) => {
    if (isDecoy && error instanceof JoseFailure) return undefined;
    throw error;
  });
  if (verified === undefined || isDecoy) throw new JoseFailure('key', 'the client has no key for it');
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
