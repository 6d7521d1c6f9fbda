import { DomainError, type ErrorCode } from '@vestibule/protocol';
import type { FastifyError } from 'fastify';

/** What Fastify's own failures mean here, by code. Those that are not listed are nobody's doing but ours. */
const MEANINGS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['invalid_request', 'Content-Type is missing or not accepted here'],
  FST_ERR_CTP_EMPTY_TYPE: ['invalid_request', 'Content-Type is missing or not accepted here'],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ['invalid_request', 'Content-Type is missing or not accepted here'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['invalid_request', 'The body is too large'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid_request',
    'The body does not have the length stated in Content-Length',
  ],
  FST_ERR_BAD_URL: ['not_found', 'The resource does not exist'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'The resource does not exist'],
  FST_ERR_NOT_FOUND: ['not_found', 'The resource does not exist'],
  FST_ERR_HANDLER_TIMEOUT: ['server_error', 'The request took too long'],
};

/** The failure that something thrown stands for. Whatever is not known to be the caller's doing is a `server_error`. */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  if (!isFastifyError(thrown)) return new DomainError('server_error', 'Internal server error');
  if (thrown.code === 'FST_ERR_VALIDATION') return validationError(thrown);
  if (isCutOff(thrown)) return new DomainError('invalid_request', 'The body is incomplete');
  const meaning = Object.hasOwn(MEANINGS, thrown.code) ? MEANINGS[thrown.code] : undefined;
  return new DomainError(...(meaning ?? ['server_error', 'Internal server error']));
}

function isFastifyError(thrown: unknown): thrown is FastifyError {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string';
}

/** The caller hung up while sending; the reader of bodies marks the error of the stream as a 400. */
function isCutOff({ code, statusCode }: FastifyError): boolean {
  return code === 'ECONNRESET' && statusCode === 400;
}

function validationError({ validation, validationContext }: FastifyError): DomainError {
  if (validationContext === 'params') return new DomainError('not_found', 'The resource does not exist');
  const part = validationContext === 'body' ? 'body' : 'query';
  if (part === 'body' && isAnotherType(validation))
    return new DomainError('invalid_request', 'The body must be a JSON object');
  const subject = validationSubject(validation);
  const sentence = `The ${part} is invalid`;
  return new DomainError('invalid_request', subject === undefined ? sentence : `${sentence}: ${subject}`);
}

/** Whether the value as a whole is not of the type of its schema: bodies are objects. */
function isAnotherType([first]: FastifyError['validation'] = []): boolean {
  return first?.keyword === 'type' && first.instancePath === '';
}

/** Names as schemas write them; anything longer or stranger may be the caller's own words. */
const MEMBER = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const LENGTHS = { minLength: 'at least', maxLength: 'at most' } as const;

/** The first member that is wrong, by name alone, or with the length that it may have. */
function validationSubject(validation: FastifyError['validation']): string | undefined {
  const [first] = validation ?? [];
  if (first === undefined) return undefined;
  const missing = Object.values(first.params)[0];
  if (first.keyword === 'required' && Array.isArray(missing)) return memberName(missing[0], ' is missing');
  // A schema that is `false` stands for members that nobody declared: their names are the caller's own words.
  if (first.keyword === 'boolean') return 'it contains an unknown member';
  return memberName(first.instancePath.split('/')[1], permittedLength(first));
}

/** What a text should have been that is too short or too long; nothing for everything else. */
function permittedLength({ keyword, params }: { keyword: string; params: object }): string {
  const bound = Object.hasOwn(LENGTHS, keyword) ? LENGTHS[keyword as keyof typeof LENGTHS] : undefined;
  const limit = 'limit' in params ? params.limit : undefined;
  if (bound === undefined || typeof limit !== 'number') return '';
  return ` must have ${bound} ${limit} ${limit === 1 ? 'character' : 'characters'}`;
}

function memberName(name: unknown, suffix: string): string | undefined {
  return typeof name === 'string' && MEMBER.test(name) ? name + suffix : undefined;
}
