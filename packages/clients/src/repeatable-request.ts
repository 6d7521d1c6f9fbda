import { type Digest, sha256 } from '@vestibule/crypto';
import { DomainError, epochSeconds, inOneOrder, isJsonObject, nowSeconds } from '@vestibule/protocol';
import { idempotencyRecordAssociatedData } from './associated-data.js';
import type { ClientInformation } from './client-information.js';
import { type ClientResponse, type ResponseContent, withEntityTag } from './client-response.js';
import type { IdempotencyRecord } from './idempotency-record.js';
import type { RegistrationAuthorityDeps, RegistrationDeps } from './registration-deps.js';

/**
 * A request to register that may be sent again, and then has the same response
 * (draft-ietf-httpapi-idempotency-key-header).
 */
export interface RepeatableRequest {
  /** The digests of credential and key; a new answer is remembered under each. */
  readonly candidates: readonly [Digest, ...Digest[]];
  /** The response that it had before. */
  readonly earlier?: IdempotencyRecord;
}

/**
 * Finds what a key stands for. A key means something only together with the credential that it came with. While a key
 * for digests cannot be opened, a response is found under the others: it is remembered under each.
 */
export async function findRepeatable(
  { digester, idempotencyRecords, clock }: RegistrationAuthorityDeps,
  token: string,
  idempotencyKey: string,
): Promise<RepeatableRequest> {
  const candidates = digester.candidates('idempotency-key', JSON.stringify([token, idempotencyKey]));
  const earlier = await idempotencyRecords.find(candidates, nowSeconds(clock));
  return { candidates, ...(earlier && { earlier }) };
}

/**
 * What is to be remembered of a response that is about to be given: under every digest that the request has here. While
 * keys for digests rotate, instances have another first one, and of their parallel requests one creates all the same,
 * since they have one in common.
 */
export async function insertIdempotencyRecord(
  { encryptor, clock, settings }: RegistrationDeps,
  { candidates }: RepeatableRequest,
  { body, response }: { readonly body: unknown; readonly response: ClientResponse },
): Promise<readonly IdempotencyRecord[]> {
  const { information, version } = response;
  const text = JSON.stringify({ request: fingerprint(body), information, version });
  const expiresAt = epochSeconds(nowSeconds(clock) + settings.idempotencyRetentionSeconds);
  return Promise.all(
    candidates.map(async (digest) => ({
      digest,
      encrypted: await encryptor.encrypt(text, idempotencyRecordAssociatedData(digest)),
      expiresAt,
    })),
  );
}

/**
 * The same response once more.
 * @throws DomainError `invalid_request` when it answered another body.
 */
export async function replayResponse(
  { encryptor, digester }: RegistrationDeps,
  { digest, encrypted }: IdempotencyRecord,
  body: unknown,
): Promise<ClientResponse> {
  const { request, ...content } = parseRecord(
    await encryptor.open(encrypted, idempotencyRecordAssociatedData(digest)),
  );
  if (request !== fingerprint(body)) {
    throw new DomainError('invalid_request', 'The Idempotency-Key was used with another body.');
  }
  return { ...withEntityTag(digester, content), isReplayed: true };
}

/** The same for every way to write one JSON value. */
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
  throw new TypeError('a remembered response is not one');
}

function isInformation(value: unknown): value is ClientInformation {
  return isJsonObject(value) && typeof value['client_id'] === 'string';
}
