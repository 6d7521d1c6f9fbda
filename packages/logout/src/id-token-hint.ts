import { type ActiveClientDeps, type Client, findActiveClient } from '@vestibule/clients';
import {
  audienceClaim,
  decodeUnverifiedJwt,
  decryptJwt,
  isEncryptedJwt,
  JoseFailure,
  numericDateClaim,
  secretDecryptionKeys,
  secretVerificationKeys,
  textClaim,
  type VerifiedJwt,
  verifyJwt,
} from '@vestibule/crypto/jwt';
import { type KeyRing, keysOfBothServers, type OtherServerSigners } from '@vestibule/crypto/signing-keys';
import { type ClientId, type Issuer, nowSeconds, parseClientId } from '@vestibule/protocol';
import {
  ASYMMETRIC_ALGORITHMS,
  ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  CONTENT_ENCRYPTION_ALGORITHMS,
  HMAC_ALGORITHMS,
  JWT_TYP,
  SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
} from '@vestibule/protocol/constants';
import { isJsonObject, type JsonObject } from '@vestibule/protocol/json';
import { LOGOUT_EVENT } from '@vestibule/tokens/issuing';
import { type ClientSecretDeps, clientSecrets } from './client-secrets.js';

/** Dependencies of {@link readIdTokenHint}. */
export interface IdTokenHintDeps extends ClientSecretDeps, ActiveClientDeps {
  readonly issuer: Issuer;
  /**
   * The provider's keys: those that signed ID tokens, retired ones included, and those that hints may be encrypted to.
   */
  readonly keys: Pick<KeyRing, 'verificationKeys' | 'decryptionKeys'>;
  /** Keys of another authorization server with the same issuer, which issues ID tokens too. Default: none. */
  readonly authorizationServerKeys?: OtherServerSigners;
  readonly clients: ClientSecretDeps['clients'] & ActiveClientDeps['clients'];
}

/**
 * A verified ID token hint, possibly expired: it proves the requesting client and names the end-user and the session.
 */
export interface IdTokenHint {
  readonly client: Client;
  readonly subject: string;
  /** The `sid` by which the client knows the session; absent for clients that were not given one. */
  readonly sid?: string;
}

/** A hint as received. */
export interface PresentedHint {
  readonly token: string;
  /** The parameter `client_id`. */
  readonly clientId: string | undefined;
  /** Clients whose secret may have encrypted the hint if `client_id` is missing. */
  readonly candidates: readonly ClientId[];
}

/** Maximum length of a hint, in characters. */
export const HINT_MAX_LENGTH = 16_384;
/** Each costs a lookup and the decryption of its secrets. */
const MAX_CANDIDATE_CLIENTS = 10;

/**
 * Verifies an ID token hint (OpenID Connect RP-Initiated Logout 1.0 sections 2 and 4): signed by us or by the
 * authorization server with our issuer, for a client that is registered and is the one in `client_id`; of any age, but
 * not before its `nbf`. It may be encrypted to a key of ours, or with a key derived from the client's current secret or
 * a previous one (OpenID Connect Core 1.0 section 10.2).
 * @returns `undefined` if it is not such a token, for whatever reason. Errors of a store and of key sets are passed on.
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

/** The client that a token is for: its only audience, or of several the authorized party, or the one in `client_id`. */
function addressee(claims: JsonObject, named: string | undefined): ClientId | undefined {
  const audience = audienceClaim(claims) ?? [];
  const only = audience.length === 1 ? audience[0] : textClaim(claims, 'azp');
  const id = named ?? only;
  return id !== undefined && audience.includes(id) && (only ?? id) === id ? parseClientId(id) : undefined;
}

/** Algorithms keyed by the secret count only if the client registered them: otherwise others could know the secret. */
async function verified(deps: IdTokenHintDeps, client: Client, token: string): Promise<VerifiedJwt> {
  const hmac = HMAC_ALGORITHMS.filter((name) => name === client.metadata.id_token_signed_response_alg);
  const signers = keysOfBothServers(deps.keys, deps.authorizationServerKeys);
  return verifyJwt(token, {
    keys: async (hint) =>
      hmac.some((name) => name === hint.alg)
        ? secretVerificationKeys(await clientSecrets(deps, client), hint)
        : signers(hint),
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
  if (isOfOtherKind(claims)) return undefined;
  if (!hasBegun(claims, nowSeconds(clock))) return undefined;
  return { client, subject, ...(sid !== undefined && { sid }) };
}

/** Values of the claim `typ` of other tokens of Keycloak. */
const OTHER_KINDS: readonly unknown[] = ['Bearer', 'DPoP', 'Refresh', 'Offline', 'Logout'];

/** Whether the claims are those of an access token or logout token, which may have the `typ` header of ID tokens. */
function isOfOtherKind({ typ, events, ...claims }: JsonObject): boolean {
  const isLogoutToken = isJsonObject(events) && Object.hasOwn(events, LOGOUT_EVENT);
  return Object.hasOwn(claims, 'client_id') || OTHER_KINDS.includes(typ) || isLogoutToken;
}

/** Tolerated difference between the clocks of instances. */
const NOT_BEFORE_SKEW_SECONDS = 30;

/** A hint may have expired, but is not accepted before its `nbf` (RFC 7519 section 4.1.5). */
function hasBegun(claims: JsonObject, now: number): boolean {
  return (numericDateClaim(claims, 'nbf') ?? 0) <= now + NOT_BEFORE_SKEW_SECONDS;
}

/** Decrypts the hint with a key of ours, or with the secrets of the client in `client_id` or of the candidates. */
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
