import type { Client } from '@vestibule/clients';
import {
  decodeUnverifiedJwt,
  JoseFailure,
  type KeyHint,
  requireType,
  type VerificationKeySource,
  verifyJwt,
} from '@vestibule/crypto';
import type { ClientId, Clock, JsonObject } from '@vestibule/protocol';
import { judgeClaims } from './assertion-claims.js';
import type { AssertionKeyDeps, AssertionMethod } from './assertion-method.js';
import type { ClientAssertionDeps } from './client-assertion-deps.js';
import type { ClientAuthDeps } from './client-auth-deps.js';
import { type ClientRefusal, undisclosedRefusal } from './client-refusal.js';
import { decoyKeys } from './decoy-keys.js';

/** The longest assertion, in characters. */
export const ASSERTION_MAX_LENGTH = 16_384;

/** What `typ` of an assertion may be. */
export const ASSERTION_TYPES = [undefined, 'JWT', 'client-authentication+jwt'];

/** What judging an assertion takes once its signature stands. */
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

/** An assertion whose signature stands: someone has verified it with a key of the client. */
export interface SignedAssertion extends NamedAssertion {
  /** The client, as it is now. */
  readonly client: Pick<Client, 'federation'> | undefined;
}

/** An assertion, and the client that it names. */
export interface AssertionToJudge extends NamedAssertion {
  readonly method: AssertionMethod;
  /** `undefined` when there is none. */
  readonly client: Client | undefined;
}

/**
 * Why an assertion proves no client, whichever it names; `undefined` when nothing can be said before its signature is
 * verified. Reads no client, so that every caller may know.
 */
export function whyAssertionUnfit(
  { clock, assertions }: Pick<AssertionUseDeps, 'clock'> & { readonly assertions?: Unrecorded },
  { assertion, clientId }: NamedAssertion,
): ClientRefusal | undefined {
  if (assertions === undefined) return undefined;
  try {
    const { header, claims } = decodeUnverifiedJwt(assertion, ASSERTION_MAX_LENGTH);
    return whyTypeRefused(header) ?? judgeClaims({ clock, assertions }, clientId, claims).refusal;
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    return unreadableAssertion(error);
  }
}

type Unrecorded = Omit<AssertionUseDeps['assertions'], 'replays'>;

/** The refusal for an assertion that cannot be read. */
export function unreadableAssertion({ message }: JoseFailure): ClientRefusal {
  return {
    reason: 'assertion_malformed',
    detail: `the assertion cannot be read: ${message}`,
    description: 'client_assertion cannot be read as a signed JWT',
  };
}

/**
 * Why an assertion does not prove a client; `undefined` when it does (RFC 7523 section 3). An assertion proves it once:
 * its `jti` is recorded after everything else stands, so that nobody who cannot sign uses up the identifiers of others.
 * @throws Error when no store can say whether the assertion was used: then it proves nothing.
 */
export async function whyAssertionRefused(
  deps: ClientAuthDeps,
  judged: AssertionToJudge,
): Promise<ClientRefusal | undefined> {
  const { assertions } = deps;
  if (assertions === undefined) return undisclosedRefusal('client assertions are not accepted here');
  const present = { ...deps, assertions };
  try {
    const claims = await verifiedClaims(present, judged);
    return await whyUseRefused(present, judged, claims);
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    return undisclosedRefusal(`the assertion is not acceptable: ${error.message}`);
  }
}

/**
 * The same for an assertion whose signature was verified elsewhere, with a key of the client in `sub`.
 * @throws Error when no store can say whether the assertion was used: then it proves nothing.
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
  const { use, refusal } = judgeClaims(deps, clientId, claims, client);
  if (use === undefined) return refusal;
  const outcome = await deps.assertions.replays.recordUse(use.digest, use.keepUntil);
  if (outcome === 'unavailable') throw new Error('no store can say whether an assertion was used');
  return outcome === 'fresh' ? undefined : USED_BEFORE;
}

const USED_BEFORE: ClientRefusal = {
  reason: 'assertion_replayed',
  detail: 'the assertion was used before',
  description: 'client_assertion: jti was used before; every request needs an assertion of its own',
};

/** Verifies in every case, with keys of nobody's where the client has none, so that time does not tell. */
async function verifiedClaims(
  deps: AssertionKeyDeps,
  { assertion, method, client }: AssertionToJudge,
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
