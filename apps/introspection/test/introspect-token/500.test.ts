import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@vestibule/database';
import { expect, it } from 'vitest';
import { activeMembers, basic, call, HEADERS, INACTIVE, type Seen } from '../support/introspection-call.js';
import { aTestService, ENDPOINT, scopeOf } from '../support/test-service.js';

const FAULT: Seen = { status: 500, headers: HEADERS, body: '' };

/** A database that nobody serves. */
function aDeadDatabase() {
  return openDatabase({ url: 'postgres://nobody:nothing@127.0.0.1:1/none' });
}

it('answers a fault of any store with an empty 500, and never takes it for an inactive token', async () => {
  const dead = aDeadDatabase();
  for (const part of ['clients', 'accessTokens', 'revocations'] as const) {
    const service = await aTestService({ [part]: dead[part] });
    const tokens = part === 'revocations' ? [await service.jwt()] : [await service.identifier()];
    for (const token of tokens)
      for (const revoke of ['false', 'true'])
        expect(await call(service.app, { token, revoke }), `${part} ${revoke}`).toEqual(FAULT);
  }
  await dead.close();
});

it('answers a fault on the way to the caller with an empty 500, and never takes it for a bad credential', async () => {
  const dead = aDeadDatabase();
  const service = await aTestService({ accessTokens: dead.accessTokens, revocations: dead.revocations });
  for (const format of ['identifier', 'jwt'] as const) {
    const authorization = `Bearer ${await service[format]({ scope: scopeOf(ENDPOINT) })}`;
    expect(await call(service.app, { token: 'x' }, { authorization })).toEqual(FAULT);
  }
  await dead.close();
});

it('gives a store that says nothing up with an empty 500, whatever else there is to ask', async () => {
  const silent = () => new Promise<never>(() => undefined);
  const service = await aTestService();
  const { clients } = service.database;
  const token = await service.identifier();
  const slow = await aTestService({ ...service.deps, clients: { ...clients, find: silent } });
  expect(await call(slow.app, { token })).toEqual(FAULT);
  const headers = { accept: 'application/jwt' };
  expect(await call(slow.app, { token }, { headers })).toEqual(FAULT);
});

it('gives up after two seconds too what is asked in two steps: to use a token up, and why it was not', async () => {
  const none = async () => {
    await pause(1_200);
    return { found: false, reason: 'unknown' } as const;
  };
  const states = { cached: () => undefined, read: none, claim: none };
  const facts = { stillHold: () => true, heldLately: () => true };
  const watch = {
    start: () => () => facts,
    orStaleFallback: <Result>(read: Promise<Result>) => read,
  };
  const { app } = await aTestService({ states, watch });
  const token = 'x'.repeat(43);
  // From here on the caller is remembered.
  expect(await call(app, { token })).toEqual(INACTIVE);
  expect(await call(app, { token, revoke: 'true' })).toEqual(FAULT);
});

it('works again, without a restart, when the store does', async () => {
  const dead = aDeadDatabase();
  let isDown = true;
  const service = await aTestService();
  const { clients } = service.database;
  const flaky = {
    ...clients,
    find: (id: Parameters<typeof clients.find>[0]) => (isDown ? dead : service.database).clients.find(id),
  };
  const recovering = await aTestService({ ...service.deps, clients: flaky });
  const token = await service.identifier();
  expect(await call(recovering.app, { token })).toEqual(FAULT);
  isDown = false;
  activeMembers(await call(recovering.app, { token }));
  expect(await call(recovering.app, { token: 'x' }, { authorization: basic() })).toEqual(INACTIVE);
  await dead.close();
});
