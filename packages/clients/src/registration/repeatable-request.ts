import { sha256 } from '@vestibule/crypto';
import type { Digest, Digester, Encryptor } from '@vestibule/crypto/data-keys';
import { type Clock, DomainError, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { inOneOrder, isJsonObject } from '@vestibule/protocol/json';
import { idempotencyRecordAssociatedData } from '../associated-data.js';
import type { ClientInformation } from '../client-information.js';
import { type ClientResponse, type ResponseContent, withEntityTag } from '../client-response.js';
import type { IdempotencyRecord, IdempotencyRecordStore } from './idempotency-record.js';
import type { RegistrationSettings } from './registration-settings.js';

/**
 * A request to register with an idempotency key, whose repetitions get the same response
 * (draft-ietf-httpapi-idempotency-key-header).
 */
export interface RepeatableRequest {
  /** Digests of credential and key; a new response is stored under each. */
  readonly digests: readonly [Digest, ...Digest[]];
  /** The stored response to an earlier request. */
  readonly earlier?: IdempotencyRecord;
}

/** Dependencies of repeating requests. */
interface RepetitionDeps {
  readonly digester: Digester;
  readonly encryptor: Encryptor;
  readonly idempotencyRecords: Pick<IdempotencyRecordStore, 'find'>;
  readonly clock: Clock;
  readonly settings: Pick<RegistrationSettings, 'idempotencyRetentionSeconds'>;
}

/**
 * Looks up the record of a key. A key is valid only together with the credential that it came with. While a digest key
 * cannot be opened, the record is found under the others, since it is stored under each.
 */
export async function findRepeatable(
  { digester, idempotencyRecords, clock }: Pick<RepetitionDeps, 'digester' | 'idempotencyRecords' | 'clock'>,
  token: string,
  idempotencyKey: string,
): Promise<RepeatableRequest> {
  const digests = digester.availableDigests('idempotency-key', JSON.stringify([token, idempotencyKey]));
  const earlier = await idempotencyRecords.find(digests, nowSeconds(clock));
  return { digests, ...(earlier && { earlier }) };
}

/**
 * Builds the idempotency records of a new response, under every digest that the request has here. During a rotation of
 * digest keys instances have different first digests. Parallel requests on them still create one client, since they
 * have one digest in common.
 */
export async function idempotencyRecordsOf(
  { encryptor, clock, settings }: Pick<RepetitionDeps, 'encryptor' | 'clock' | 'settings'>,
  { digests }: RepeatableRequest,
  { body, response }: { readonly body: unknown; readonly response: ClientResponse },
): Promise<readonly IdempotencyRecord[]> {
  const { information, version } = response;
  const text = JSON.stringify({ request: fingerprint(body), information, version });
  const expiresAt = epochSeconds(nowSeconds(clock) + settings.idempotencyRetentionSeconds);
  return Promise.all(
    digests.map(async (digest) => ({
      digest,
      encrypted: await encryptor.encrypt(text, idempotencyRecordAssociatedData(digest)),
      expiresAt,
    })),
  );
}

/**
 * Returns the stored response.
 * @throws DomainError `invalid_request` when it belongs to another body.
 */
export async function replayResponse(
  { encryptor, digester }: Pick<RepetitionDeps, 'encryptor' | 'digester'>,
  { digest, encrypted }: IdempotencyRecord,
  body: unknown,
): Promise<ClientResponse> {
  const { request, ...content } = parseRecord(
    await encryptor.open(encrypted, idempotencyRecordAssociatedData(digest)),
  );
  if (request !== fingerprint(body)) {
    throw new DomainError('invalid_request', 'Idempotency-Key: was used with another body');
  }
  return { ...withEntityTag(digester, content), isReplayed: true };
}

/** The same for every serialization of a JSON value. */
function fingerprint(body: unknown): string {
  return Buffer.from(sha256(JSON.stringify(inOneOrder(body)))).toString('base64url');
}

function parseRecord(text: string): ResponseContent & { readonly request: string } {
  const record: unknown = JSON.parse(text);
  if (isJsonObject(record)) {
    const { request, information, version } = record;
    if (typeof request === 'string' && typeof version === 'number' && isInformation(information))
      return { request, information, version };
  }
  throw new TypeError('the idempotency record has no stored response');
}

function isInformation(value: unknown): value is ClientInformation {
  return isJsonObject(value) && typeof value['client_id'] === 'string';
}
