import type { Server } from '@vestibule/http';
import { NO_STORE, type Seen, seenResponse } from '@vestibule/http/testing';
import type { InjectOptions } from 'fastify';
import { expect } from 'vitest';
import { SECRET } from './test-service.js';

export { NO_STORE, type Seen, seenResponse };

/** Headers of every response. */
export const HEADERS = { ...NO_STORE, vary: 'Accept' };

/** Headers of every JSON response. */
export const JSON_HEADERS = { ...HEADERS, 'content-type': 'application/json;charset=UTF-8' };

/** Builds the `Authorization` header of a client. */
export function basic(id = 'rs1', secret = SECRET): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;
}

/** Sends a form to the endpoint, as `rs1` by default; `authorization: undefined` sends no credential. */
export function call(
  app: Server,
  form: Readonly<Record<string, string>> | string,
  deviation: InjectOptions & { authorization?: string | undefined } = {},
): Promise<Seen> {
  const { authorization = 'authorization' in deviation ? undefined : basic(), headers, ...rest } = deviation;
  return seenResponse(app, {
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
}

/** The response for every token that is not active. */
export const INACTIVE: Seen = { status: 200, headers: JSON_HEADERS, body: '{"active":false}' };

/** Expects an active response, and returns its members. */
export function activeMembers({ status, headers, body }: Seen): Record<string, unknown> {
  expect({ status, headers }).toEqual({ status: 200, headers: JSON_HEADERS });
  const members = JSON.parse(body);
  expect(members.active).toBe(true);
  return members;
}
