import { type ClientEncryptionDeps, clientEncryption } from '@vestibule/client-auth';
import type { Client, ClientRepository } from '@vestibule/clients';
import { secretAssociatedData } from '@vestibule/clients/associated-data';
import { isClientExpired } from '@vestibule/clients/management';
import { isInSector, sectorIdentifier } from '@vestibule/metadata';
import { nowSeconds } from '@vestibule/protocol';
import {
  ASYMMETRIC_ALGORITHMS,
  HMAC_ALGORITHMS,
  MEDIA_TYPE,
  type SigningAlgorithm,
} from '@vestibule/protocol/constants';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import {
  findPairwiseSubject,
  issueLogoutToken,
  type LogoutTokenDeps,
  type LogoutTokenGrant,
} from '@vestibule/tokens/issuing';
import type { ProviderRecords } from '@vestibule/tokens/provider';
import { type AttemptOutcome, evaluateResponse, type PostResponse } from './evaluate-response.js';
import type { ClaimedDelivery } from './logout-delivery.js';

/** Posts to an address that a client registered: address checked, no redirects, within a deadline. */
export interface LogoutTokenSender {
  post(request: {
    readonly url: string;
    readonly contentType: string;
    readonly body: string;
    readonly deadlineMs: number;
    readonly signal: AbortSignal;
  }): Promise<PostResponse>;
}

/** Posts a new logout token, for the client as it is registered at that time. Never rejects. */
export type DeliveryAttempt = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptOutcome>;

/** Dependencies of {@link deliveryAttempt}. */
export interface AttemptDeps extends LogoutTokenDeps, ClientEncryptionDeps {
  readonly clients: Pick<ClientRepository, 'find'>;
  readonly records: { readonly artifacts: Pick<ProviderRecords['artifacts'], 'find'> };
  readonly sender: LogoutTokenSender;
  readonly monotonic: MonotonicClock;
  /** Deadline of a whole attempt, from reading the client to its response, in milliseconds. */
  readonly attemptTimeoutMs: number;
  /** Called with the reason why a logout token could not be created, for the log. */
  readonly onProblem: (error: unknown) => void;
}

/** Creates the delivery attempts of a worker. */
export function deliveryAttempt(deps: AttemptDeps): DeliveryAttempt {
  return (delivery, signal) => attemptDelivery(deps, delivery, signal);
}

async function attemptDelivery(
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
  return evaluateResponse(
    await deps.sender.post({
      url: delivery.uri,
      contentType: MEDIA_TYPE.form,
      // A compact serialization contains no characters that a form would escape.
      body: `logout_token=${prepared}`,
      deadlineMs,
      signal,
    }),
  );
}

/** The logout token, or the outcome if it cannot be created. */
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

/**
 * The client's keys for signing and encryption, besides our own; `undefined` if there is no key to encrypt with now.
 */
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
 * The identifiers of end-user and session that the client knows. If its ID tokens carry no `sid`, neither does the
 * logout token, unless it would then identify nothing. A client with pairwise subjects never learns another `sub`
 * (OpenID Connect Core section 8.1), whatever it was when the session ended, and receives it only within its sector:
 * nothing proves that the back channel and the redirect URIs, which define the sector, have the same owner.
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
