import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { freePort } from '@vestibule/local-services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { everyCommandWasRun, type OperatedStack, openStack } from '../support/operated-stack.js';

let stack: OperatedStack;
/** Response status of the application to logout tokens, and the number of logout tokens. */
let responseStatus = 400;
let notified = 0;
let application: Server;
let applicationUrl: string;

beforeAll(async () => {
  const port = await freePort();
  applicationUrl = `http://127.0.0.1:${port}`;
  application = createServer((request, response) => {
    notified += 1;
    request.resume();
    response.writeHead(responseStatus).end();
  }).listen(port, '127.0.0.1');
  await once(application, 'listening');
  stack = await openStack({ EGRESS_ALLOW_HOSTS: '127.0.0.1,localhost' });
});
afterAll(async () => {
  await stack.stop();
  application.close();
});

it('logout deliveries and redeliver: dead notifications are delivered when the client accepts them', async () => {
  const made = await stack.typed(
    ['clients', 'create', '-'],
    JSON.stringify({
      redirect_uris: [`${applicationUrl}/cb`],
      backchannel_logout_uri: `${applicationUrl}/out`,
    }),
  );
  const endSession = async () => {
    const json = { sub: 'alice', client_ids: [made.client_id] };
    const { body } = await stack.send('/direct-authz/sessions', { token: stack.masterToken, json });
    const { sid } = body;
    await stack.send(`/direct-authz/sessions/${sid}`, { method: 'DELETE', token: stack.masterToken });
  };
  const inState = (state: string) => stack.typed(['logout', 'deliveries', '--state', state]);
  await Promise.all([endSession(), endSession()]);
  await expect.poll(() => inState('dead'), { timeout: 60_000, interval: 200 }).toHaveLength(2);
  const [first, second] = await stack.json(['logout', 'deliveries', '--client-id', made.client_id]);
  expect(first).toMatchObject({ state: 'dead', attempts: 1, last_status: 400, last_error: 'status' });
  expect(await stack.text(['logout', 'deliveries', '--limit', '1'])).toMatch(
    new RegExp(`^ID +STATE .*\n${first.id} +dead +1 +400 .* ${applicationUrl}/out\n$`),
  );
  responseStatus = 200;
  expect(await stack.json(['logout', 'redeliver', first.id, '--actor', 'jane'])).toEqual([
    { id: first.id, outcome: 'queued' },
  ]);
  expect(await stack.text(['logout', 'redeliver', second.id])).toMatch(
    new RegExp(`^ID +OUTCOME\n${second.id} +queued for its next attempt\n$`),
  );
  await expect.poll(() => inState('delivered'), { timeout: 60_000, interval: 200 }).toHaveLength(2);
  expect(notified).toBe(4);
  const unknown = await stack.refused(3, ['logout', 'redeliver', 'none', '9'.repeat(18), '--json']);
  expect(JSON.parse(unknown.stdout)).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }]);
  await stack.refused(2, ['logout', 'deliveries', '--state', 'lost']);
  expect(await stack.events()).toContain(
    `operator:jane logout_delivery.redelivered logout_delivery:${first.id}`,
  );
});

it('logout end-sessions, and tokens revoke --sub: the sessions of an end-user end at the stack, and their clients are notified', async () => {
  const made = await stack.typed(
    ['clients', 'create', '-'],
    JSON.stringify({
      redirect_uris: [`${applicationUrl}/cb`],
      backchannel_logout_uri: `${applicationUrl}/out`,
    }),
  );
  const open = async (sub: string) => {
    const json = { sub, client_ids: [made.client_id] };
    const { body } = await stack.send('/direct-authz/sessions', { token: stack.masterToken, json });
    return { sid: body.sid, sidAtClient: body.clients[made.client_id].sid };
  };
  const of = (...options: string[]) => stack.typed(['logout', 'deliveries', ...options]);
  const [, , named, bobs, revoked] = [
    await open('carol'),
    await open('carol'),
    await open('dave'),
    await open('bob'),
    await open('erin'),
  ];
  expect(await stack.json(['logout', 'end-sessions', '--sub', 'carol', '--actor', 'jane'])).toEqual({
    ended: 2,
  });
  expect(await stack.text(['logout', 'end-sessions', '--sid', named.sidAtClient])).toBe('Ended 1 session.\n');
  await stack.typed(['tokens', 'revoke', '--sub', 'erin']);
  expect(await of('--sub', 'carol')).toHaveLength(2);
  for (const sid of [named.sid, named.sidAtClient])
    expect(await of('--sid', sid)).toMatchObject([{ client_id: made.client_id }]);
  expect(await of('--sub', 'erin', '--sid', revoked.sid)).toHaveLength(1);
  expect(await of('--sub', 'bob')).toEqual([]);
  expect(await stack.text(['logout', 'end-sessions', '--sub', 'carol'])).toBe('Ended 0 sessions.\n');
  await stack.refused(3, ['logout', 'end-sessions', '--sid', named.sid]);
  await stack.refused(2, ['logout', 'end-sessions', '--sid', bobs.sid, '--sub', 'bob']);
  await stack.refused(2, ['logout', 'end-sessions']);
  expect(await stack.typed(['logout', 'end-sessions', '--sid', bobs.sid])).toEqual({ ended: 1 });
  const ended = (await stack.events()).filter((event) => event.startsWith('operator:jane session.ended'));
  expect(ended).toHaveLength(2);
});

everyCommandWasRun('logout', () => stack);
