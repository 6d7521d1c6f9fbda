import { expect, it } from 'vitest';
import { aCachedInstance, aTimedService } from '../support/cached-instance.js';
import { call } from '../support/introspection-call.js';

it('counts decisions about tokens, by reason if they are inactive', async () => {
  const service = await aTimedService();
  await service.register('rs2');
  const { app, registry } = await aCachedInstance(service);
  const live = await service.identifier();
  for (let time = 0; time < 3; time += 1) await call(app, { token: live });
  await call(app, { token: 'x' });
  await call(app, { token: 'x'.repeat(43) });
  await call(app, { token: 'a.b.c' });
  await call(app, { token: await service.jwt({ audience: ['rs2'] }) });
  const metric = await registry.getSingleMetric('introspection_outcomes_total')?.get();
  const counted = (metric?.values ?? []).filter(({ value }) => value > 0);
  expect(Object.fromEntries(counted.map(({ labels, value }) => [labels['outcome'], value]))).toEqual({
    active: 3,
    malformed: 2,
    unknown: 1,
    foreign_audience: 1,
  });
});
