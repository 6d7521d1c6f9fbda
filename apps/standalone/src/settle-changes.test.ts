import { createServer } from '@vestibule/http';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import { expect, it, onTestFinished } from 'vitest';
import { settleChanges } from './settle-changes.js';

/** The number of times a server settled before it responded to an operation. */
async function settled(method: 'GET' | 'POST' | 'DELETE', url: string, status: number): Promise<number> {
  const server = createServer({ logger: false });
  onTestFinished(() => server.close());
  let count = 0;
  settleChanges(server, {
    settle: async () => {
      count += 1;
    },
  });
  server.route({ method, url, handler: (_request, reply) => reply.code(status).send() });
  expect((await server.inject({ method, url })).statusCode).toBe(status);
  return count;
}

it('settles before it responds to a change, but not if every token stays as it was', async () => {
  expect(await settled('DELETE', '/clients/:id', 204)).toBe(1);
  expect(await settled('DELETE', '/clients/:id', 401)).toBe(0);
  expect(await settled('GET', '/clients', 200)).toBe(0);
  expect(await settled('POST', ENDPOINT_PATH.introspection, 200)).toBe(0);
});

it('settles before it refuses a code or refresh token, which may be a second use', async () => {
  expect(await settled('POST', ENDPOINT_PATH.token, 400)).toBe(1);
  expect(await settled('POST', ENDPOINT_PATH.token, 200)).toBe(0);
  expect(await settled('POST', ENDPOINT_PATH.token, 401)).toBe(0);
});
