import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@vestibule/database';
import { expect, it } from 'vitest';
import { activeMembers, basic, call, HEADERS, INACTIVE, type Seen } from '../support/introspection-call.js';
import { aTestService, ENDPOINT, scopeOf } from '../support/test-service.js';

const FAULT: Seen = { status: 500, headers: HEADERS, body: '' };

/** Opens a database without a server. */
function unreachableDatabase() {
  return openDatabase({ url: 'postgres://user:nothing@127.0.0.1:1/none' });
}

it('responds to a fault of any store with an empty 500, never with an inactive token', async () => {
  const dead = unreachableDatabase();
  for (const part of ['clients', 'accessTokens', 'revocations'] as const) {
    const service = await aTestService({ [part]: dead[part] });
    const tokens = part === 'revocations' ? [await service.jwt()] : [await service.identifier()];
    for (const token of tokens)
      for (const revoke of ['false', 'true'])
        expect(await call(service.app, { token, revoke }), `${part} ${revoke}`).toEqual(FAULT);
  }
  await dead.close();
});

it('responds to a fault while authenticating with an empty 500, never with a 401', async () => {
  const dead = unreachableDatabase();
  const service = await aTestService({ accessTokens: dead.accessTokens, revocations: dead.revocations });
  for (const format of ['identifier', 'jwt'] as const) {
    const authorization = `Bearer ${await service[format]({ scope: scopeOf(ENDPOINT) })}`;
    expect(await call(service.app, { token: 'x' }, { authorization })).toEqual(FAULT);
  }
  await dead.close();
});

it('responds with an empty 500 when a store does not respond, whatever else is left to read', async () => {
  const silent = () => new Promise<never>(() => undefined);
  const service = await aTestService();
  const { clients } = service.database;
  const token = await service.identifier();
  const slow = await aTestService({ ...service.deps, clients: { ...clients, find: silent } });
  expect(await call(slow.app, { token })).toEqual(FAULT);
  const headers = { accept: 'application/jwt' };
  expect(await call(slow.app, { token }, { headers })).toEqual(FAULT);
});

it('has one deadline of two seconds for both steps of consuming a token', async () => {
  let stepMs = 0;
  const none = async () => {
    await pause(stepMs);
    return { found: false, reason: 'unknown' } as const;
  };
  const states = { cached: () => undefined, read: none, claim: none };
  const validity = { isCurrent: () => true, wasRecentlyCurrent: () => true };
  const watch = {
    start: () => () => validity,
    orStaleFallback: <Result>(read: Promise<Result>) => read,
  };
  const { app } = await aTestService({ states, watch });
  const token = 'x'.repeat(43);
  // From here on the caller is cached.
  expect(await call(app, { token })).toEqual(INACTIVE);
  stepMs = 1_200;
  expect(await call(app, { token, revoke: 'true' })).toEqual(FAULT);
});

it('works again without a restart when the store does', async () => {
  const dead = unreachableDatabase();
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
