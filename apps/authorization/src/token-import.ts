import { Readable } from 'node:stream';
import {
  allowLongRequest,
  JSON_CONTENT_TYPE,
  type Reply,
  type Request,
  type Route,
  route,
} from '@vestibule/http';
import { eitherBody, jsonBody, readLines, streamedBody } from '@vestibule/http/bodies';
import { DomainError } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { DEFAULT_JSON_LIMITS, MAX_BODY_BYTES } from '@vestibule/protocol/json';
import { requireMasterToken } from '@vestibule/service';
import {
  type ImportCounts,
  type ImportOutcome,
  type ImportRefusal,
  type ImportResult,
  importAll,
  importEach,
  refusedEntry,
} from '@vestibule/tokens/importing';
import { Type } from 'typebox';
import { IMPORT_TOKENS } from './api-description.js';
import type { DirectAuthorizationDeps } from './deps.js';
import { inPortions, UNTIL_END } from './response-portions.js';
import {
  entriesOf,
  MAX_IMPORT_BYTES,
  type ParsedImport,
  parseImportLine,
  parseListedImport,
} from './token-import-request.js';

/** Depth of an entry in a JSON body. */
const ENTRY_DEPTH = 2;

/** Either form of the body: all tokens of a request in JSON, or one a line. */
const IMPORT_BODY = eitherBody(
  // Each entry has limits of its own.
  jsonBody({
    maxBytes: MAX_IMPORT_BYTES,
    maxDepth: DEFAULT_JSON_LIMITS.maxDepth + ENTRY_DEPTH,
    maxMembers: MAX_IMPORT_BYTES,
    maxElements: MAX_IMPORT_BYTES,
  }),
  streamedBody([MEDIA_TYPE.ndjson]),
);

/** POST /direct-authz/tokens (authorization/API.md#import-tokens). */
export function importTokens(deps: DirectAuthorizationDeps): Route {
  return route({
    description: IMPORT_TOKENS,
    schema: { body: Type.Unknown() },
    body: IMPORT_BODY,
    onRequest: requireMasterToken(deps.masterToken),
    handler: async (request, reply) => {
      if (request.body instanceof Readable) return sendLines(deps, { request, reply, body: request.body });
      const counts = await importList(deps, request.body);
      return reply.header('content-type', JSON_CONTENT_TYPE).send(JSON.stringify(counts));
    },
  });
}

/**
 * Imports all tokens of a JSON body, or none.
 * @throws DomainError `invalid_request` that names the entry and its member
 */
async function importList(deps: DirectAuthorizationDeps, body: unknown): Promise<ImportCounts> {
  const tokens = entriesOf(body).map((entry, index) => {
    const { token, refusal } = parseListedImport(entry);
    if (refusal !== undefined) throw refusedEntry(index, refusal);
    return token;
  });
  const counts = await importAll(deps, tokens);
  for (const [result, count] of Object.entries(counts)) deps.countImports?.(result as ImportOutcome, count);
  return counts;
}

interface LineExchange {
  readonly request: Request;
  readonly reply: Reply;
  readonly body: Readable;
}

/** Responds to each line. A fault before the response begins is the response. */
async function sendLines(
  deps: DirectAuthorizationDeps,
  { request, reply, body }: LineExchange,
): Promise<Reply> {
  allowLongRequest(request, reply);
  // Unless the response is sent, the rest of the body is not read.
  reply.header('connection', 'close');
  const isLengthKnown = request.headers['content-length'] !== undefined;
  const responses = inPortions(lineResponses(deps, body), isLengthKnown ? UNTIL_END : {});
  const first = await responses.next();
  if (first.done) throw new DomainError('invalid_request', 'The body is empty');
  reply.removeHeader('connection').header('content-type', MEDIA_TYPE.ndjson);
  return reply.send(Readable.from(beginningWith(first.value, responses)));
}

async function* beginningWith(first: string, others: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield* others;
}

/**
 * Imports the lines in the groups in which they arrive, one after the other. The next group is parsed while one is stored.
 * After a fault, lines without a response can be sent again.
 */
async function* lineResponses(deps: DirectAuthorizationDeps, body: Readable): AsyncGenerator<string, void> {
  const groups = parsedLines(body);
  let next = groups.next();
  for (;;) {
    const { value: group, done } = await next;
    if (done) return;
    next = groups.next();
    // A fault is reported after this group.
    next.catch(() => undefined);
    const results = await importLines(deps, group);
    yield group.map(({ number }, index) => responseLine(number, results[index])).join('');
  }
}

interface ParsedLine {
  readonly number: number;
  readonly parsed: ParsedImport;
}

async function* parsedLines(body: Readable): AsyncGenerator<readonly ParsedLine[], void> {
  for await (const lines of readLines(body, MAX_BODY_BYTES))
    yield lines.map((line) => ({ number: line.number, parsed: parseImportLine(line) }));
}

async function importLines(
  deps: DirectAuthorizationDeps,
  group: readonly ParsedLine[],
): Promise<readonly ImportResult[]> {
  const parsed = group.map((line) => line.parsed);
  const tokens = parsed.flatMap(({ token }) => token ?? []);
  const imported = (await importEach(deps, tokens))[Symbol.iterator]();
  const results = parsed.map(({ refusal }): ImportResult => {
    if (refusal !== undefined) return { refusal };
    const { value } = imported.next();
    if (value === undefined) throw new TypeError('there are fewer results than tokens');
    return value;
  });
  for (const { outcome = 'refused' } of results) deps.countImports?.(outcome, 1);
  return results;
}

function responseLine(line: number, result: ImportResult | undefined): string {
  if (result === undefined) throw new TypeError('there are fewer results than lines');
  const { outcome, refusal } = result;
  const response =
    refusal === undefined
      ? { line, result: outcome }
      : { line, error: 'invalid_request', error_description: describe(refusal) };
  return `${JSON.stringify(response)}\n`;
}

function describe({ member, problem }: ImportRefusal): string {
  return member === undefined ? `The line ${problem}` : `${member}: ${problem}`;
}
