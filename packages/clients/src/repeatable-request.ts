import { type Digest, sha256 } from '@vestibule/crypto';
import { DomainError, epochSeconds, inOneOrder, isJsonObject, nowSeconds } from '@vestibule/protocol';
import { type AnswerContent, type ClientAnswer, withEntityTag } from './client-answer.js';
import type { ClientInformation } from './client-information.js';
import type { RegistrationAuthorityDeps, RegistrationDeps } from './registration-deps.js';
import type { RememberedAnswer } from './remembered-answer.js';
import { rememberedAnswerPlace } from './sealed-places.js';

/**
 * A request to register that may be sent again, and then has the same answer
 * (draft-ietf-httpapi-idempotency-key-header).
 */
export interface RepeatableRequest {
  /** The digests of credential and key; a new answer is remembered under each. */
  readonly candidates: readonly [Digest, ...Digest[]];
  /** The answer that it had before. */
  readonly earlier?: RememberedAnswer;
}

/**
 * Finds what a key stands for. A key means something only together with the credential that it came with. While a key
 * for digests cannot be opened, an answer is found under the others: it is remembered under each.
 */
export async function findRepeatable(
  { digester, rememberedAnswers, clock }: RegistrationAuthorityDeps,
  token: string,
  idempotencyKey: string,
): Promise<RepeatableRequest> {
  const candidates = digester.candidates('idempotency-key', JSON.stringify([token, idempotencyKey]));
  const earlier = await rememberedAnswers.find(candidates, nowSeconds(clock));
  return { candidates, ...(earlier && { earlier }) };
}

/**
 * What is to be remembered of an answer that is about to be given: under every digest that the request has here. While
 * keys for digests rotate, instances have another first one, and of their parallel requests one creates all the same,
 * since they have one in common.
 */
export async function rememberAnswer(
  { sealer, clock, settings }: RegistrationDeps,
  { candidates }: RepeatableRequest,
  { body, answer }: { readonly body: unknown; readonly answer: ClientAnswer },
): Promise<readonly RememberedAnswer[]> {
  const { information, version } = answer;
  const text = JSON.stringify({ request: fingerprint(body), information, version });
  const expiresAt = epochSeconds(nowSeconds(clock) + settings.idempotencyRetentionSeconds);
  return Promise.all(
    candidates.map(async (digest) => ({
      digest,
      sealed: await sealer.seal(text, rememberedAnswerPlace(digest)),
      expiresAt,
    })),
  );
}

/**
 * The same answer once more.
 * @throws DomainError `invalid_request` when it answered another body.
 */
export async function replayAnswer(
  { sealer, digester }: RegistrationDeps,
  { digest, sealed }: RememberedAnswer,
  body: unknown,
): Promise<ClientAnswer> {
  const { request, ...content } = parseRecord(await sealer.open(sealed, rememberedAnswerPlace(digest)));
  if (request !== fingerprint(body)) {
    throw new DomainError('invalid_request', 'The Idempotency-Key was used with another body.');
  }
  return { ...withEntityTag(digester, content), isReplayed: true };
}

/** The same for every way to write one JSON value. */
function fingerprint(body: unknown): string {
  return Buffer.from(sha256(JSON.stringify(inOneOrder(body)))).toString('base64url');
}

function parseRecord(text: string): AnswerContent & { readonly request: string } {
  const record: unknown = JSON.parse(text);
  if (isJsonObject(record)) {
    const { request, information, version } = record;
    if (typeof request === 'string' && typeof version === 'number' && isInformation(information))
      return { request, information, version };
  }
  throw new TypeError('a remembered answer is not one');
}

function isInformation(value: unknown): value is ClientInformation {
  return isJsonObject(value) && typeof value['client_id'] === 'string';
}
