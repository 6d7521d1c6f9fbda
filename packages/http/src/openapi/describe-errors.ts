import { DomainError, type ErrorCode } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import Type, { type TSchema } from 'typebox';
import { type ErrorResponse, type ErrorTable, presenterOf } from '../errors/error-table.js';
import type { HeaderDescription, ResponseDescription } from './operation-description.js';

const HEADERS: Readonly<Record<string, string>> = {
  'www-authenticate': 'What kind of credential is needed, and what is wrong with the one that came.',
  'retry-after': 'Seconds to wait before the request is sent again.',
};

/** Describes the error responses of a route group by status, as its table presents them. */
export function describeErrors(
  table: ErrorTable,
  codes: readonly ErrorCode[],
): Readonly<Record<number, ResponseDescription>> {
  const byStatus = new Map<number, [ErrorCode, ErrorResponse][]>();
  for (const code of new Set<ErrorCode>([...codes, 'server_error'])) {
    const response = presenterOf(table, code)(new DomainError(code, ''));
    byStatus.set(response.status, [...(byStatus.get(response.status) ?? []), [code, response]]);
  }
  return Object.fromEntries([...byStatus].map(([status, failures]) => [status, describeStatus(failures)]));
}

function describeStatus(failures: readonly (readonly [ErrorCode, ErrorResponse])[]): ResponseDescription {
  const names = failures.flatMap(([, { headers = {} }]) => Object.keys(headers));
  const headers = [...new Set(names)].filter((name) => name !== 'content-type').map(describeHeader);
  const content = contentOf(failures);
  return {
    description: failures.map(([code]) => code).join(', '),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(content !== undefined && { content, examples: { [MEDIA_TYPE.json]: exampleOf(failures) } }),
  };
}

function describeHeader(name: string): [string, HeaderDescription] {
  const description = HEADERS[name] ?? '';
  return [name, { description, schema: Type.String(), required: true }];
}

function contentOf(
  failures: readonly (readonly [ErrorCode, ErrorResponse])[],
): Readonly<Record<string, TSchema>> | undefined {
  const bodies = failures.flatMap(([, { body }]) => (body === undefined ? [] : [errorOf(body)]));
  if (bodies.length === 0) return undefined;
  const codes = [...new Set(bodies)];
  return {
    [MEDIA_TYPE.json]: Type.Object({
      error: Type.Enum(codes, { description: 'What kind of failure it is: for programs.' }),
      error_description: Type.String({ description: 'What is wrong: a fixed sentence for developers.' }),
    }),
  };
}

/** Returns the first failure that has a body, as an example. */
function exampleOf(failures: readonly (readonly [ErrorCode, ErrorResponse])[]): unknown {
  const bodies = failures.flatMap(([, { body }]) => (body === undefined ? [] : [errorOf(body)]));
  return { error: bodies[0], error_description: 'One sentence that says what is wrong with the request' };
}

function errorOf(body: string): string {
  const { error }: { readonly error: unknown } = JSON.parse(body);
  return String(error);
}
