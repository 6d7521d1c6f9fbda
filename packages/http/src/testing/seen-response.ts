import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { noteResponse } from '@vestibule/testkit';
import type { InjectOptions } from 'fastify';
import type { Server } from '../server/fastify-types.js';
import { requireStrictChallenges } from './strict-challenges.js';

/** Headers that vary between runs or belong to the connection. */
const VOLATILE = ['date', 'connection', 'content-length', 'keep-alive', 'transfer-encoding'];

/** Headers of every response of a route group. */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Headers of every JSON response. */
export const JSON_HEADERS = { ...NO_STORE, 'content-type': 'application/json;charset=UTF-8' };

/** A response as a client sees it, without volatile headers. */
export interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/**
 * Injects a request and returns the response as a client sees it. Its secrets are recorded, so that the run fails if
 * one is stored in plaintext in the database or Redis.
 * @throws TypeError if a strict parser would refuse the challenges of the response
 */
export async function seenResponse(server: Server, request: InjectOptions): Promise<Seen> {
  const response = await server.inject(request);
  const challenges = response.headers['www-authenticate'];
  if (challenges !== undefined) requireStrictChallenges(String(challenges));
  noteResponse(response.body);
  const headers = Object.entries(response.headers).filter(([name]) => !VOLATILE.includes(name));
  return { status: response.statusCode, headers: Object.fromEntries(headers), body: response.body };
}

/** A request. `body` is sent as JSON, or as a JSON Merge Patch in a PATCH; `payload` is sent unchanged. */
export interface Call {
  readonly token?: string | undefined;
  readonly authorization?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly payload?: string | Buffer;
}

/** Builds a request to a JSON resource from a target such as `POST /clients`. */
export function jsonRequest(target: string, call: Call = {}): InjectOptions & { readonly url: string } {
  const { token, authorization = token && `Bearer ${token}`, body, headers, ...rest } = call;
  const [method, url = '/'] = target.split(' ', 2);
  return {
    method: method as NonNullable<InjectOptions['method']>,
    url,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(/^(?:POST|PUT)$/.test(method ?? '') && { 'content-type': MEDIA_TYPE.json }),
      ...(method === 'PATCH' && { 'content-type': MEDIA_TYPE.mergePatch }),
      ...headers,
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
    ...rest,
  };
}
