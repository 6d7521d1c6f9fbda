import type { Members } from './exchange.js';
import type { Reporter } from './reporter.js';

/** The options of a request; common to `fetch` and openid-client. */
export interface PrintedRequest {
  readonly method?: string;
  readonly headers?: HeadersInit;
  readonly body?: unknown;
}

/** Sends a request and prints it. */
export type PrintedFetch = (address: string, options?: PrintedRequest) => Promise<Response>;

/** The members that are printed of large documents. */
const RELEVANT: ReadonlySet<string> = new Set([
  'client_id',
  'client_secret',
  'client_secret_expires_at',
  'registration_access_token',
  'registration_client_uri',
  'issuer',
  'registration_endpoint',
  'introspection_endpoint',
  'authorization_endpoint',
]);

/** A `fetch` that prints its exchanges under the name of their sender. */
export function printedFetch(from: string, reporter: Reporter): PrintedFetch {
  return async (address, { method = 'GET', headers, body } = {}) => {
    const sentHeaders = new Headers(headers);
    const content = body instanceof URLSearchParams || typeof body === 'string' ? body : undefined;
    const response = await fetch(address, {
      method,
      headers: sentHeaders,
      redirect: 'manual',
      ...(content !== undefined && { body: content }),
    });
    const authorization = sentHeaders.get('authorization');
    const form = membersOf(content?.toString());
    const sent = { ...(authorization !== null && { authorization }), ...form };
    const received = relevantMembers(membersOf(await response.clone().text()), form);
    reporter.exchange({ from, method, address, status: response.status, sent, received });
    return response;
  };
}

/** The members of a JSON object or of a form; none for other text. */
export function membersOf(text: string | undefined): Members {
  if (text === undefined || text === '') return {};
  if (!/^\s*[[{]/.test(text))
    return /^[\w.~%-]+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : {};
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The members of a response that are printed: those that the request did not have. */
function relevantMembers(members: Members, sent: Members): Members {
  if ('keys' in members) return {};
  const isDocument = 'jwks_uri' in members || 'registration_client_uri' in members;
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) =>
      isDocument ? RELEVANT.has(name) : JSON.stringify(value) !== JSON.stringify(sent[name]),
    ),
  );
}
