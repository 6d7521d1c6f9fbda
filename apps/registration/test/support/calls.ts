import type { Server } from '@vestibule/http';
import {
  type Call,
  committedDocument,
  documentedResponse,
  JSON_HEADERS,
  jsonRequest,
  NO_STORE,
  type Seen,
} from '@vestibule/http/testing';
import { expect } from 'vitest';
import { MASTER } from './build-test-app.js';

export { type Call, JSON_HEADERS, NO_STORE, type Seen };

/** The committed API document. */
export const API_DOCUMENT = committedDocument(new URL('../../openapi.json', import.meta.url));

/** Sends a request, written as in `POST /clients`, and checks the response against the API document. */
export function send(app: Server, target: string, call: Call = {}): Promise<Seen> {
  return documentedResponse(app, jsonRequest(target, call), API_DOCUMENT);
}

/** Client information, as in every response. */
export interface Information extends Readonly<Record<string, unknown>> {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly registration_access_token: string;
  readonly registration_client_uri: string;
}

/** Expects client information with its tag, and returns it. */
export function information({ status, headers, body }: Seen): Information {
  expect({ status, headers }, body).toEqual({ status: 200, headers: CLIENT_HEADERS });
  return JSON.parse(body);
}

/** The registration in a read, without the members for the operator. */
export function registrationIn(read: Seen): Information {
  const { status: _status, origin: _origin, last_used_at: _lastUsedAt, ...registration } = information(read);
  return registration as Information;
}

/** A tag, as in every response about one client. */
export const ANY_TAG: unknown = expect.stringMatching(/^"[\w-]{43}"$/);

/** The headers of every response about one client. */
export const CLIENT_HEADERS = { ...JSON_HEADERS, etag: ANY_TAG };

/** The entity tag of a response. */
export function tagOf({ headers }: Seen): string {
  return String(headers['etag']);
}

/** The headers of every list. */
export const LIST_HEADERS = { ...JSON_HEADERS, vary: 'Accept' };

/** Registers a client with this body, by default with the master token. */
export async function registered(app: Server, body: unknown = {}, token = MASTER): Promise<Information> {
  const defaults = { redirect_uris: ['https://app.example/cb'] };
  const merged = typeof body === 'object' ? { ...defaults, ...body } : body;
  return information(await send(app, 'POST /clients', { token, body: merged }));
}

/** The path of a client. */
export function pathOf(id: string): string {
  return `/clients/${encodeURIComponent(id)}`;
}

/** The response with a JSON error of registration/API.md#errors. */
export function badRequest(error: string, description: string): Seen {
  return {
    status: 400,
    headers: JSON_HEADERS,
    body: JSON.stringify({ error, error_description: description }),
  };
}

/** The response to a missing token (RFC 6750 section 3.1). */
export const MISSING_TOKEN: Seen = {
  ...challenge(401, 'Bearer', { error: 'missing_token', description: '' }),
  // The description says what the token is needed for.
  body: expect.stringMatching(/^\{"error":"missing_token","error_description":"[^"]* require[ds][^"]*"\}$/),
};

/** The response to a token that is unknown, revoked or of another kind. */
export const INVALID_TOKEN = refused(
  401,
  'invalid_token',
  'The access token is invalid, expired or revoked.',
);

/** The response to a token without sufficient scope. */
export function insufficientScope(description: string, scope?: string): Seen {
  const { headers, ...response } = refused(403, 'insufficient_scope', description);
  const { 'www-authenticate': value } = headers;
  if (scope !== undefined)
    return { ...response, headers: { ...headers, 'www-authenticate': `${value}, scope="${scope}"` } };
  // The required scope is in the challenge (RFC 6750 section 3.1); the tests of registration check which.
  const named = expect.stringMatching(new RegExp(`^${value}(?:, scope="client-reg[^"]*")?$`));
  return { ...response, headers: { ...headers, 'www-authenticate': named } };
}

/** The response for something that does not exist. */
export const NOT_FOUND: Seen = { status: 404, headers: NO_STORE, body: '' };

/** The response to an internal error. */
export const FAULT: Seen = { status: 500, headers: NO_STORE, body: '' };

/** The response after a deletion. */
export const NO_CONTENT: Seen = { status: 204, headers: NO_STORE, body: '' };

function refused(status: number, error: string, description: string): Seen {
  const value = `Bearer error="${error}", error_description="${description}"`;
  return challenge(status, value, { error, description });
}

interface Refusal {
  readonly error: string;
  readonly description: string;
}

function challenge(status: number, value: string, { error, description }: Refusal): Seen {
  const body = JSON.stringify({ error, error_description: description });
  return { status, headers: { ...JSON_HEADERS, 'www-authenticate': value }, body };
}
