import type { Server } from '@vestibule/http';
import {
  type Call,
  committedDocument,
  documentedResponse,
  JSON_HEADERS,
  jsonRequest,
  NO_STORE,
  type Seen,
  seenResponse,
} from '@vestibule/http/testing';
import { expect } from 'vitest';
import { MASTER } from './build-test-app.js';

export { JSON_HEADERS, NO_STORE, type Seen };

/** The committed API document. */
export const API_DOCUMENT = committedDocument(new URL('../../openapi.json', import.meta.url));

/** Sends a request, written as in `POST /direct-authz`, and checks the response against the API document. */
export function send(app: Server, target: string, call: Call = {}): Promise<Seen> {
  const request = jsonRequest(target, call);
  // The document does not cover the other endpoints.
  if (!request.url.startsWith('/direct-authz')) return seenResponse(app, request);
  return documentedResponse(app, request, API_DOCUMENT);
}

/** Sends a JSON body with the master token. */
export function post(app: Server, url: string, body: unknown): Promise<Seen> {
  return send(app, `POST ${url}`, { token: MASTER, body });
}

/** Expects a JSON response and returns its members. */
export function members({ status, headers, body }: Seen): Record<string, unknown> {
  expect({ status, headers }, body).toEqual({ status: 200, headers: JSON_HEADERS });
  return JSON.parse(body);
}

/** Expects the response to a token request and returns it. */
export async function issued(app: Server, body: unknown): Promise<Issued> {
  return members(await post(app, '/direct-authz', body)) as unknown as Issued;
}

/** The response to every token request. */
export interface Issued {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly id_token?: string;
}

/** The response to a malformed or contradictory request. */
export function badRequest(description: string): Seen {
  const body = JSON.stringify({ error: 'invalid_request', error_description: description });
  return { status: 400, headers: JSON_HEADERS, body };
}

/** The response to a missing token (RFC 6750 section 3.1). */
export const MISSING_TOKEN = unauthorized('Bearer', 'missing_token', 'The master token is required.');

/** The response to every token that is not the master token. */
export const INVALID_TOKEN = unauthorized(
  'Bearer error="invalid_token", error_description="The access token is not the master token."',
  'invalid_token',
  'The access token is not the master token.',
);

/** The response for something that does not exist. */
export const NOT_FOUND: Seen = { status: 404, headers: NO_STORE, body: '' };

/** The response to an internal error. */
export const FAULT: Seen = { status: 500, headers: NO_STORE, body: '' };

/** The response after a revocation. */
export const NO_CONTENT: Seen = { status: 204, headers: NO_STORE, body: '' };

function unauthorized(challenge: string, error: string, description: string): Seen {
  const body = JSON.stringify({ error, error_description: description });
  return { status: 401, headers: { ...JSON_HEADERS, 'www-authenticate': challenge }, body };
}
