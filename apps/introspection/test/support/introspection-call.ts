import type { Server } from '@vestibule/service-kit';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { SECRET } from './test-service.js';

/** The headers that differ from run to run or belong to the connection. */
const VOLATILE = ['date', 'connection', 'content-length', 'keep-alive', 'transfer-encoding'];

/** What every answer of the endpoint carries. */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** What every answer of the operation carries. */
export const HEADERS = { ...NO_STORE, vary: 'Accept' };

/** What every JSON answer carries. */
export const JSON_HEADERS = { ...HEADERS, 'content-type': 'application/json;charset=UTF-8' };

/** An answer as a caller sees it. */
export interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The `Authorization` header of a client. */
export function basic(id = 'rs1', secret = SECRET): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;
}

/** Asks the endpoint about a form, as `rs1` unless it says otherwise; `authorization: undefined` sends none. */
export async function call(
  app: Server,
  form: Readonly<Record<string, string>> | string,
  deviation: InjectOptions & { authorization?: string | undefined } = {},
): Promise<Seen> {
  const { authorization = 'authorization' in deviation ? undefined : basic(), headers, ...rest } = deviation;
  const response = await app.inject({
    method: 'POST',
    url: '/token/introspect',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(authorization === undefined ? {} : { authorization }),
      ...headers,
    },
    payload: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    ...rest,
  });
  return seen(response);
}

/** The whole of an answer, without what says nothing about it. */
export function seen(response: LightMyRequestResponse): Seen {
  const headers = Object.entries(response.headers).filter(([name]) => !VOLATILE.includes(name));
  return { status: response.statusCode, headers: Object.fromEntries(headers), body: response.body };
}

/** What is answered for every token that is not active. */
export const INACTIVE: Seen = { status: 200, headers: JSON_HEADERS, body: '{"active":false}' };

/** Expects an active answer and gives its members. */
export function activeMembers({ status, headers, body }: Seen): Record<string, unknown> {
  expect({ status, headers }).toEqual({ status: 200, headers: JSON_HEADERS });
  const members = JSON.parse(body);
  expect(members.active).toBe(true);
  return members;
}
