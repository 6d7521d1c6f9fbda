import { type ClientEncryptionDeps, clientEncryption } from '@vestibule/client-auth';
import {
  type Client,
  type ClientRepository,
  isClientExpired,
  secretAssociatedData,
} from '@vestibule/clients';
import { isInSector, sectorIdentifier } from '@vestibule/metadata';
import {
  ASYMMETRIC_ALGORITHMS,
  HMAC_ALGORITHMS,
  MEDIA_TYPE,
  nowSeconds,
  type SigningAlgorithm,
} from '@vestibule/protocol';
import {
  findPairwiseSubject,
  issueLogoutToken,
  type LogoutTokenDeps,
  type LogoutTokenGrant,
  type MonotonicClock,
  type ProviderRecords,
} from '@vestibule/tokens';
import { type AttemptOutcome, judgeResponse, type PostResponse } from './judge-response.js';
import type { ClaimedDelivery } from './logout-delivery.js';

/** Sends a message to an address that a client registered: checked, without redirects, within its deadline. */
export interface LogoutTokenSender {
  post(request: {
    readonly url: string;
    readonly contentType: string;
    readonly body: string;
    readonly deadlineMs: number;
    readonly signal: AbortSignal;
  }): Promise<PostResponse>;
}

/** What an attempt takes. */
export interface AttemptDeps extends LogoutTokenDeps, ClientEncryptionDeps {
  readonly clients: Pick<ClientRepository, 'find'>;
  readonly records: { readonly artifacts: Pick<ProviderRecords['artifacts'], 'find'> };
  readonly sender: LogoutTokenSender;
  readonly monotonic: MonotonicClock;
  /** Milliseconds for everything, from reading the client to its answer. */
  readonly attemptTimeoutMs: number;
  /** Told why a logout token could not be made; for the log. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * Tries once to deliver: a logout token is made for this attempt alone, for the client as it is registered now, and
 * sent. Never rejects.
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const startedMs = deps.monotonic();
  const prepared = await prepare(deps, delivery).catch((error: unknown): AttemptOutcome => {
    deps.onProblem(error);
    return { verdict: 'retry', error: 'not_prepared' };
  });
  if (typeof prepared !== 'string') return prepared;
  const deadlineMs = Math.floor(deps.attemptTimeoutMs - (deps.monotonic() - startedMs));
  if (deadlineMs <= 0) return { verdict: 'retry', error: 'not_prepared' };
  return judgeResponse(
    await deps.sender.post({
      url: delivery.uri,
      contentType: MEDIA_TYPE.form,
      // A compact serialization has no characters that a form would escape.
      body: `logout_token=${prepared}`,
      deadlineMs,
      signal,
    }),
  );
}

/** The logout token, or why there is none. */
async function prepare(deps: AttemptDeps, delivery: ClaimedDelivery): Promise<string | AttemptOutcome> {
  const client = await deps.clients.find(delivery.clientId);
  if (client === undefined || isClientExpired(client, nowSeconds(deps.clock)))
    return { verdict: 'final', error: 'client_deleted' };
  const algorithm = signingAlgorithm(client);
  if (algorithm === undefined) return { verdict: 'final', error: 'unsigned' };
  const protection = await protectionOf(deps, client, algorithm);
  if (protection === undefined) return { verdict: 'retry', error: 'no_encryption_key' };
  const names = await namesOf(deps, client, delivery);
  return issueLogoutToken(deps, { clientId: client.id, algorithm, ...names, ...protection });
}

function signingAlgorithm({ metadata }: Client): SigningAlgorithm | undefined {
  return [...ASYMMETRIC_ALGORITHMS, ...HMAC_ALGORITHMS].find(
    (name) => name === metadata.id_token_signed_response_alg,
  );
}

/** What signs and encrypts besides our keys; `undefined` when there is no key to encrypt with, now. */
async function protectionOf(
  deps: AttemptDeps,
  client: Client,
  signing: SigningAlgorithm,
): Promise<Pick<LogoutTokenGrant, 'clientSecret' | 'encryption'> | undefined> {
  const { id_token_encrypted_response_alg: algorithm, id_token_encrypted_response_enc: encryption } =
    client.metadata;
  const { secret } = client;
  const isKeyedBySecret = HMAC_ALGORITHMS.some((name) => name === signing) && secret !== undefined;
  const signer = isKeyedBySecret && {
    clientSecret: await deps.encryptor.open(secret.encrypted, secretAssociatedData(client.id)),
  };
  if (algorithm === undefined) return { ...signer };
  const encrypting = await clientEncryption(deps, client, { algorithm, encryption });
  return encrypting && { ...signer, encryption: encrypting };
}

/**
 * By what names the client knows the end-user and the session. Where its ID tokens carry no `sid` neither does the
 * logout token, unless it would name nobody; a client with pairwise subjects never learns another one (OpenID Connect
 * Core section 8.1), whatever it was when the session ended, and that one within its sector alone: no back channel
 * proves that the redirect URIs, which make the sector, belong to the same people.
 */
async function namesOf(
  deps: AttemptDeps,
  client: Client,
  delivery: ClaimedDelivery,
): Promise<Pick<LogoutTokenGrant, 'subject' | 'sessionId'>> {
  const isPairwise = client.metadata.subject_type === 'pairwise';
  const known = isPairwise ? await pairwiseName(deps, client, delivery) : delivery.subject;
  const {
    backchannel_logout_session_required: backchannel,
    frontchannel_logout_session_required: frontchannel,
  } = client.metadata;
  const isSidKnown = backchannel === true || frontchannel === true || known === undefined;
  return {
    ...(known !== undefined && { subject: known }),
    ...(delivery.sid !== undefined && isSidKnown && { sessionId: delivery.sid }),
  };
}

async function pairwiseName(
  { records, clock }: AttemptDeps,
  { metadata }: Client,
  { uri, accountId }: ClaimedDelivery,
): Promise<string | undefined> {
  const sector = sectorIdentifier(metadata);
  if (accountId === undefined || sector === undefined || !isInSector(metadata, uri)) return undefined;
  return findPairwiseSubject(records, { sector, accountId }, nowSeconds(clock));
}
