import { authenticationThrottle } from '@vestibule/client-auth';
import type { ClientId } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../src/index.js';
import { aCachedInstance, aTimedService } from '../support/cached-instance.js';
import {
  assertionForm,
  assertionOf,
  bearerProof,
  METHODS,
  type Proof,
  proofOf,
  registerCaller,
} from '../support/callers.js';
import { activeMembers, basic, call, JSON_HEADERS, type Seen } from '../support/introspection-call.js';
import { aTestService } from '../support/test-service.js';

const PER_MINUTE = 3;
const HERE = '192.0.2.7';
const NEIGHBOUR = '192.0.2.99';
const ELSEWHERE = '198.51.100.7';

const THROTTLED: Seen = {
  status: 429,
  headers: { ...JSON_HEADERS, 'retry-after': '20' },
  body: '{"error":"too_many_requests","error_description":"Too many requests, try again later"}',
};

/** A service that throttles, and that notes whom it looks up. */
async function aThrottledService() {
  const clock = frozenClock();
  const service = await aTestService({ clock });
  const lookUps: string[] = [];
  const { clients, accessTokens } = service.database;
  const noted =
    <Asked extends readonly unknown[], Found>(find: (...asked: Asked) => Found) =>
    (...asked: Asked) => {
      lookUps.push(String(asked[0]));
      return find(...asked);
    };
  const app = buildApp(
    {
      ...service.deps,
      clients: { ...clients, find: noted(clients.find), earlierSecrets: noted(clients.earlierSecrets) },
      accessTokens: { ...accessTokens, find: noted(accessTokens.find) },
      secretOverlapSeconds: 3600,
      authenticationThrottle: authenticationThrottle({ clock, perMinute: PER_MINUTE }),
    },
    { logger: false },
  );
  onTestFinished(() => app.close());
  const token = await service.identifier();
  const ask = ({ authorization, form, headers = {} }: Partial<Proof>, remoteAddress = HERE) =>
    call(app, { token, ...form }, { authorization, headers, remoteAddress });
  return { clock, service, ask, lookUps };
}

const as = (id: string, secret?: string): Partial<Proof> => ({ authorization: basic(id, secret) });

it('looks no client up for a network where too many unknown ones failed, and goes on for other networks', async () => {
  const { ask, lookUps, clock } = await aThrottledService();
  for (let time = 0; time < PER_MINUTE; time += 1)
    expect(await ask(as(`nobody-${time}`))).toMatchObject({ status: 401 });
  const before = lookUps.length;
  expect(await ask(as('nobody'), NEIGHBOUR)).toEqual(THROTTLED);
  expect(lookUps).toHaveLength(before);
  activeMembers(await ask(as('rs1'), ELSEWHERE));
  clock.advanceSeconds(20);
  expect(await ask(as('nobody'))).toMatchObject({ status: 401 });
});

it('refuses a client that proved itself there for nothing that its neighbours do', async () => {
  const { ask, service } = await aThrottledService();
  await service.register('rs2');
  activeMembers(await ask(as('rs1')));
  for (let time = 0; time < 2 * PER_MINUTE; time += 1) await ask(as(`nobody-${time}`));
  for (let time = 0; time < 2 * PER_MINUTE; time += 1) await ask(as('rs1', 'wrong'));
  activeMembers(await ask(as('rs1'), NEIGHBOUR));
  expect(await ask(as('rs2'))).toEqual(THROTTLED);
});

it('lets the right secret in though a wrong one is tried all the time, and looks for no earlier one', async () => {
  const { ask, lookUps } = await aThrottledService();
  for (let time = 0; time < PER_MINUTE; time += 1)
    expect(await ask(as('rs1', 'wrong'))).toMatchObject({ status: 401 });
  expect(lookUps.splice(0)).toHaveLength(2 * PER_MINUTE);
  expect(await ask(as('rs1', 'wrong'))).toEqual(THROTTLED);
  expect(lookUps.splice(0)).toEqual(['rs1']);
  activeMembers(await ask(as('rs1')));
});

it('verifies no assertion and looks nobody up where too many failed for a client, and throttles it nowhere else', async () => {
  const { ask, service, lookUps } = await aThrottledService();
  await registerCaller(service, 'signer', 'private_key_jwt');
  const right = async () => ({ form: assertionForm(await assertionOf(service, 'signer')) });
  const wrong = async () => ({ form: assertionForm(await assertionOf(service, 'signer', { iss: 'x' })) });
  for (let time = 0; time < PER_MINUTE; time += 1)
    expect(await ask(await wrong())).toMatchObject({ status: 401 });
  const before = lookUps.length;
  expect(await ask(await wrong(), NEIGHBOUR)).toEqual(THROTTLED);
  expect(lookUps).toHaveLength(before);
  activeMembers(await ask(await right(), ELSEWHERE));
});

it('looks no token up for a network where too many dead ones were presented, nor throttles clients for it', async () => {
  const { ask, service, lookUps } = await aThrottledService();
  const known = await bearerProof(service, 'client');
  activeMembers(await ask(known));
  for (let time = 0; time < PER_MINUTE; time += 1)
    expect(await ask({ authorization: `Bearer ${String(time).repeat(43)}` })).toMatchObject({ status: 401 });
  const before = lookUps.length;
  expect(await ask({ authorization: `Bearer ${'x'.repeat(43)}` })).toEqual(THROTTLED);
  expect(lookUps).toHaveLength(before);
  activeMembers(await ask(known));
  activeMembers(await ask(as('rs1')));
});

it.each(METHODS)('never throttles who succeeds with %s', async (method) => {
  const { ask, service } = await aThrottledService();
  await registerCaller(service, 'caller', method);
  for (let time = 0; time < 3 * PER_MINUTE; time += 1)
    activeMembers(await ask(await proofOf(service, 'caller', method), '127.0.0.1'));
});

it('tells a client that exists from one that does not by no answer and no count', async () => {
  const answersTo = async (id: string) => {
    const { ask } = await aThrottledService();
    const answers: number[] = [];
    for (let time = 0; time < 2 * PER_MINUTE; time += 1) answers.push((await ask(as(id, 'wrong'))).status);
    for (let time = 0; time < PER_MINUTE; time += 1)
      answers.push((await ask(as(`another-${time}`, 'wrong'))).status);
    return answers;
  };
  expect(await answersTo('rs1')).toEqual(await answersTo('nobody'));
});

it('throttles as the settings say, counts it, and never where the limits are off', async () => {
  const service = await aTimedService();
  const token = await service.identifier({ clientId: 'client' as ClientId });
  const environment = { INTROSPECTION_FAILED_AUTHENTICATIONS_PER_MINUTE: '2' };
  const { app, registry } = await aCachedInstance(service, { environment });
  activeMembers(await call(app, { token }));
  const wrong = { authorization: basic('rs1', 'wrong') };
  const statuses: number[] = [];
  for (let time = 0; time < 4; time += 1) statuses.push((await call(app, { token }, wrong)).status);
  expect(statuses).toEqual([401, 401, 429, 429]);
  activeMembers(await call(app, { token }));
  const metric = await registry.getSingleMetric('introspection_authentications_total')?.get();
  const counted = (metric?.values ?? []).map(({ labels, value }) => [labels['outcome'], value]);
  expect(Object.fromEntries(counted)).toEqual({
    proven: 1,
    wrong_credential: 2,
    throttled: 2,
    unknown_client: 0,
    dead_token: 0,
  });
  for (const off of [
    { ...environment, RATE_LIMITS_ENABLED: 'false' },
    { INTROSPECTION_FAILED_AUTHENTICATIONS_PER_MINUTE: '0' },
  ]) {
    const unlimited = await aCachedInstance(service, { environment: off });
    for (let time = 0; time < 5; time += 1)
      expect(await call(unlimited.app, { token }, wrong)).toMatchObject({ status: 401 });
  }
});
