import { MEDIA_TYPE } from '@vestibule/protocol';
import { noteResponse } from '@vestibule/testkit';
import type { InjectOptions } from 'fastify';
import type { Server } from '../fastify-types.js';
import { requireStrictChallenges } from './strict-challenges.js';

/** The headers that differ from run to run or belong to the connection. */
const VOLATILE = ['date', 'connection', 'content-length', 'keep-alive', 'transfer-encoding'];

/** What every response of a route group carries. */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** What every JSON response carries. */
export const JSON_HEADERS = { ...NO_STORE, 'content-type': 'application/json;charset=UTF-8' };

/** A response as a caller sees it: the whole of it, without what says nothing about it. */
export interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/**
 * Sends a request without a network and gives what the caller sees; the secrets in it are noted, so that the run
 * fails when one of them stands in clear in its database or its Redis.
 * @throws TypeError when the response has challenges that a strict reader would not understand.
 */
export async function seenResponse(server: Server, request: InjectOptions): Promise<Seen> {
  const response = await server.inject(request);
  const challenges = response.headers['www-authenticate'];
  if (challenges !== undefined) requireStrictChallenges(String(challenges));
  noteResponse(response.body);
  const headers = Object.entries(response.headers).filter(([name]) => !VOLATILE.includes(name));
  return { status: response.statusCode, headers: Object.fromEntries(headers), body: response.body };
}

/** A request; `body` is sent as JSON, in a PATCH as a JSON Merge Patch, `payload` as it is. */
export interface Call {
  readonly token?: string | undefined;
  readonly authorization?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly payload?: string | Buffer;
}

/** A request to a route group of JSON resources, written as in `POST /clients`. */
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
