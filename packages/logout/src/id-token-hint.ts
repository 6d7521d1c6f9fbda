import { type ActiveClientDeps, type Client, findActiveClient } from '@vestibule/clients';
import {
  audienceClaim,
  decodeUnverifiedJwt,
  decryptJwt,
  isEncryptedJwt,
  JoseFailure,
  type KeyRing,
  numericDateClaim,
  secretDecryptionKeys,
  secretVerificationKeys,
  textClaim,
  type VerifiedJwt,
  verifyJwt,
} from '@vestibule/crypto';
import {
  ASYMMETRIC_ALGORITHMS,
  ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  type ClientId,
  CONTENT_ENCRYPTION_ALGORITHMS,
  HMAC_ALGORITHMS,
  type Issuer,
  type JsonObject,
  JWT_TYP,
  nowSeconds,
  parseClientId,
  SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
} from '@vestibule/protocol';
import { type ClientSecretDeps, clientSecrets } from './client-secrets.js';

/** What reading a hint takes. */
export interface IdTokenHintDeps extends ClientSecretDeps, ActiveClientDeps {
  readonly issuer: Issuer;
  /** The provider's key ring: what signed ID tokens, retired keys included, and what they may be encrypted to. */
  readonly keys: Pick<KeyRing, 'verificationKeys' | 'decryptionKeys'>;
  readonly clients: ClientSecretDeps['clients'] & ActiveClientDeps['clients'];
}

/** An ID token of ours, of whatever age: it proves which client asks, and says whom it takes to be there. */
export interface IdTokenHint {
  readonly client: Client;
  readonly subject: string;
  /** The session as the client knows it; absent for clients that were told of none. */
  readonly sid?: string;
}

/** A hint as it came. */
export interface PresentedHint {
  readonly token: string;
  /** The parameter `client_id`. */
  readonly clientId: string | undefined;
  /** Whose secret may have encrypted the hint where `client_id` is left out. */
  readonly candidates: readonly ClientId[];
}

/** The longest hint, in characters. */
export const HINT_MAX_LENGTH = 16_384;
/** Each costs a look-up and the opening of its secrets. */
const MAX_CANDIDATE_CLIENTS = 10;

/**
 * Reads an ID token hint (OpenID Connect RP-Initiated Logout 1.0 sections 2 and 4): signed by us, for a client that is
 * registered and is the one of `client_id`; however old, but not before its `nbf`. It may come encrypted to a key of ours, or with a key that
 * comes from the client's present secret or an earlier one (OpenID Connect Core 1.0 section 10.2).
 * @returns `undefined` when it is not such a token, for whatever reason. What a store throws is passed on.
 */
export async function readIdTokenHint(
  deps: IdTokenHintDeps,
  presented: PresentedHint,
): Promise<IdTokenHint | undefined> {
  try {
    const signed = isEncryptedJwt(presented.token) ? await decrypted(deps, presented) : presented.token;
    const { claims: unverified } = decodeUnverifiedJwt(signed, HINT_MAX_LENGTH);
    const id = addressee(unverified, presented.clientId);
    const client = id && (await findActiveClient(deps, id));
    return client && hintOf(deps, client, await verified(deps, client, signed));
  } catch (error) {
    if (error instanceof JoseFailure) return undefined;
    throw error;
  }
}

/** The client that a token is for: its one audience, or of several the authorised party, or the one that is named. */
function addressee(claims: JsonObject, named: string | undefined): ClientId | undefined {
  const audience = audienceClaim(claims) ?? [];
  const only = audience.length === 1 ? audience[0] : textClaim(claims, 'azp');
  const id = named ?? only;
  return id !== undefined && audience.includes(id) && (only ?? id) === id ? parseClientId(id) : undefined;
}

/** The algorithm of the secret counts only where the client registered it: nobody else can know what it is. */
async function verified(deps: IdTokenHintDeps, client: Client, token: string): Promise<VerifiedJwt> {
  const hmac = HMAC_ALGORITHMS.filter((name) => name === client.metadata.id_token_signed_response_alg);
  return verifyJwt(token, {
    keys: async (hint) =>
      hmac.some((name) => name === hint.alg)
        ? secretVerificationKeys(await clientSecrets(deps, client), hint)
        : deps.keys.verificationKeys(hint),
    algorithms: [...ASYMMETRIC_ALGORITHMS, ...hmac],
    types: [JWT_TYP.idToken, undefined],
    maxLength: HINT_MAX_LENGTH,
  });
}

function hintOf(
  { issuer, clock }: IdTokenHintDeps,
  client: Client,
  { claims }: VerifiedJwt,
): IdTokenHint | undefined {
  const subject = textClaim(claims, 'sub');
  const sid = textClaim(claims, 'sid');
  const isDated = ['iat', 'exp'].every((name) => numericDateClaim(claims, name) !== undefined);
  if (subject === undefined || !isDated || textClaim(claims, 'iss') !== issuer) return undefined;
  // An access token, which may be of the type of ID tokens.
  if (Object.hasOwn(claims, 'client_id')) return undefined;
  if (!hasBegun(claims, nowSeconds(clock))) return undefined;
  return { client, subject, ...(sid !== undefined && { sid }) };
}

/** Clocks of several instances may differ by this much. */
const NOT_BEFORE_SKEW_SECONDS = 30;

/** A hint may have expired, but is not used before its `nbf` (RFC 7519 section 4.1.5). */
function hasBegun(claims: JsonObject, now: number): boolean {
  return (numericDateClaim(claims, 'nbf') ?? 0) <= now + NOT_BEFORE_SKEW_SECONDS;
}

/**
 * Opens the hint with a key of ours, or with the secrets of the client that is named, or of those that may have sent
 * it.
 */
function decrypted(deps: IdTokenHintDeps, { token, clientId, candidates }: PresentedHint): Promise<string> {
  const named = parseClientId(clientId);
  const senders = clientId === undefined ? candidates.slice(0, MAX_CANDIDATE_CLIENTS) : [named];
  const secretsOf = async (id: ClientId | undefined) => {
    const client = id && (await findActiveClient(deps, id));
    return client ? clientSecrets(deps, client) : [];
  };
  return decryptJwt(token, {
    keys: async (hint) =>
      SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS.some((name) => name === hint.alg)
        ? secretDecryptionKeys((await Promise.all(senders.map(secretsOf))).flat(), hint)
        : deps.keys.decryptionKeys(hint),
    algorithms: [...ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS, ...SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS],
    encryptions: CONTENT_ENCRYPTION_ALGORITHMS,
    maxLength: HINT_MAX_LENGTH,
  });
}
