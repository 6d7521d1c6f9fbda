import { DomainError, type ErrorCode } from '@vestibule/protocol';
import type { FastifyError } from 'fastify';

/** Meaning of Fastify's own errors by code. Codes that are not listed are internal errors. */
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

/**
 * Converts what was thrown to a DomainError. Anything that is not known to be caused by the client is a `server_error`.
 */
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

/**
 * Whether the client closed the connection while sending the body. The body reader marks this stream error as a 400.
 */
function isCutOff({ code, statusCode }: FastifyError): boolean {
  return code === 'ECONNRESET' && statusCode === 400;
}

function validationError({ validation, validationContext }: FastifyError): DomainError {
  if (validationContext === 'params') return new DomainError('not_found', 'The resource does not exist');
  const part = validationContext === 'body' ? 'body' : 'query';
  if (part === 'body' && isAnotherType(validation))
    return new DomainError('invalid_request', 'The body must be a JSON object');
  return new DomainError('invalid_request', problemIn(part, validation) ?? `The ${part} is invalid`);
}

/** Whether the value itself has the wrong type. Bodies are objects. */
function isAnotherType([first]: FastifyError['validation'] = []): boolean {
  return first?.keyword === 'type' && first.instancePath === '';
}

/** Names as in schemas. Anything longer or different may come from the client and is not echoed. */
const MEMBER = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const LENGTHS = { minLength: 'at least', maxLength: 'at most' } as const;

/** Names the first invalid member and its problem: the permitted length, if that is known. */
function problemIn(part: 'body' | 'query', validation: FastifyError['validation']): string | undefined {
  const [first] = validation ?? [];
  if (first === undefined) return undefined;
  const missing = Object.values(first.params)[0];
  if (first.keyword === 'required' && Array.isArray(missing)) return memberName(missing[0], ': is missing');
  // A `false` schema matches undeclared members, whose names come from the client.
  if (first.keyword === 'boolean') return `The ${part} contains an unknown member`;
  return memberName(
    first.instancePath.split('/')[1],
    permittedLength(first) ?? `: is invalid in the ${part}`,
  );
}

/** Describes the permitted length of a text that is too short or too long. */
function permittedLength({ keyword, params }: { keyword: string; params: object }): string | undefined {
  const bound = Object.hasOwn(LENGTHS, keyword) ? LENGTHS[keyword as keyof typeof LENGTHS] : undefined;
  const limit = 'limit' in params ? params.limit : undefined;
  if (bound === undefined || typeof limit !== 'number') return undefined;
  return `: must have ${bound} ${limit} ${limit === 1 ? 'character' : 'characters'}`;
}

function memberName(name: unknown, suffix: string): string | undefined {
  return typeof name === 'string' && MEMBER.test(name) ? name + suffix : undefined;
}
