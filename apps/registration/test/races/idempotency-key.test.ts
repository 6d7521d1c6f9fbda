import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { badRequest, type Seen, send } from '../support/calls.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };
const headers = { 'idempotency-key': '"one"' };

// A caller that does not wait for the answer before it tries again must not end up with two clients.
it('makes one client of 100 parallel requests over two instances, and gives all of them its answer', async () => {
  const { app, anotherInstance, initialToken, usesLeft, all } = await buildTestApp();
  const { app: other } = await anotherInstance();
  const many = await initialToken('client-reg', { usesLeft: 1_000 });
  const once = await initialToken('client-reg');
  for (const [index, token] of [MASTER, many, once].entries()) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, turn) =>
        send(turn % 2 === 0 ? app : other, 'POST /clients', { token, body: BODY, headers }),
      ),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await all()).toHaveLength(index + 1);
  }
  expect(await usesLeft(many)).toBe(999);
});

it('gives the identifier that all of them want to one client, and its answer to all', async () => {
  const { app, anotherInstance, all } = await buildTestApp();
  const { app: other } = await anotherInstance();
  const body = { ...BODY, preferred_client_id: 'wanted' };
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, turn) =>
      send(turn % 2 === 0 ? app : other, 'POST /clients', { token: MASTER, body, headers }),
    ),
  );
  expect(new Set(answers.map(({ status, body: text }) => `${status} ${text}`)).size).toBe(1);
  expect(await all()).toHaveLength(1);
});

it('lets one of parallel requests with different bodies win, and refuses the others', async () => {
  const { app, anotherInstance, all } = await buildTestApp();
  const { app: other } = await anotherInstance();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, turn) =>
      send(turn % 2 === 0 ? app : other, 'POST /clients', {
        token: MASTER,
        body: { ...BODY, client_name: `name ${turn}` },
        headers,
      }),
    ),
  );
  const lost = answers.filter(({ status }) => status !== 200);
  expect(lost).toEqual(
    Array(39).fill(badRequest('invalid_request', 'The Idempotency-Key was used with another body.')),
  );
  expect(await all()).toHaveLength(1);
});

function isReplay({ headers: answered }: Seen): boolean {
  return answered['idempotency-replayed'] === 'true';
}
