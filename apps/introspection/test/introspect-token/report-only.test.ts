import type { ClientId } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { aCachedInstance, aTimedService, type CachedInstance } from '../support/cached-instance.js';
import { activeMembers, basic, call, INACTIVE } from '../support/introspection-call.js';
import type { TestService } from '../support/test-service.js';

const REPORT = { environment: { INTROSPECTION_AUDIENCE_RULE: 'report' } };

/** Reads the counter of foreign audiences by caller. */
async function counted({ registry }: CachedInstance): Promise<Record<string, number>> {
  const metric = await registry.getSingleMetric('introspection_foreign_audience_total')?.get();
  return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [labels['caller'], value]));
}

/** Reads the counter of outcomes. */
async function outcomes({ registry }: CachedInstance): Promise<Record<string, number>> {
  const metric = await registry.getSingleMetric('introspection_outcomes_total')?.get();
  const met = (metric?.values ?? []).filter(({ value }) => value > 0);
  return Object.fromEntries(met.map(({ labels, value }) => [labels['outcome'], value]));
}

async function twoCallers(): Promise<TestService> {
  const service = await aTimedService();
  await service.register('rs2');
  return service;
}

it('responds to callers outside the audience in report mode, with the whole audience, and counts them', async () => {
  const service = await twoCallers();
  const instance = await aCachedInstance(service, REPORT);
  for (const format of ['identifier', 'jwt'] as const) {
    const token = await service[format]({ audience: ['rs2', 'rs3'] });
    for (let time = 0; time < 3; time += 1)
      expect(activeMembers(await call(instance.app, { token }))).toMatchObject({ aud: ['rs2', 'rs3'] });
    const meant = await call(instance.app, { token }, { authorization: basic('rs2') });
    expect(activeMembers(meant)).toMatchObject({ aud: ['rs2'] });
  }
  expect(await call(instance.app, { token: 'x' })).toEqual(INACTIVE);
  expect(await counted(instance)).toEqual({ other: 0, rs1: 6 });
});

it('is inactive for callers outside the audience in enforce mode, and counts them', async () => {
  const service = await twoCallers();
  const instance = await aCachedInstance(service);
  const token = await service.identifier({ audience: ['rs2'] });
  for (let time = 0; time < 2; time += 1) expect(await call(instance.app, { token })).toEqual(INACTIVE);
  expect(await counted(instance)).toEqual({ other: 0, rs1: 2 });
});

it('consumes a token only for one caller in its audience in either mode, and counts the rest', async () => {
  const service = await twoCallers();
  const [enforcing, reporting] = [await aCachedInstance(service), await aCachedInstance(service, REPORT)];
  const token = await service.identifier({ audience: ['rs2'] });
  const claims = ({ app }: CachedInstance, id: string) =>
    Promise.all(
      Array.from({ length: 20 }, () => call(app, { token, revoke: 'true' }, { authorization: basic(id) })),
    );
  for (const instance of [enforcing, reporting]) {
    for (const response of await claims(instance, 'rs1')) expect(response).toEqual(INACTIVE);
    expect(await counted(instance)).toEqual({ other: 0, rs1: 20 });
    expect(await outcomes(instance)).toEqual({ foreign_audience: 20 });
  }
  const meant = await claims(reporting, 'rs2');
  expect(meant.filter(({ body }) => body !== INACTIVE.body)).toHaveLength(1);
  expect(await outcomes(reporting)).toEqual({ foreign_audience: 20, active: 1, unknown: 19 });
});

it('has labels for at most a hundred callers', async () => {
  const service = await twoCallers();
  const instance = await aCachedInstance(service, REPORT);
  const token = await service.identifier({ clientId: 'client' as ClientId, audience: ['unknown-id'] });
  for (let number = 0; number < 105; number += 1) {
    await service.register(`caller-${number}`);
    activeMembers(await call(instance.app, { token }, { authorization: basic(`caller-${number}`) }));
  }
  const labels = await counted(instance);
  expect(Object.keys(labels)).toHaveLength(101);
  expect(labels['other']).toBe(5);
});
