import { expect, it } from 'vitest';
import { activeMembers, basic, call, INACTIVE } from '../support/introspection-call.js';
import { consumeInParallel } from '../support/parallel-consumption.js';
import { aTestService } from '../support/test-service.js';

it('is active for exactly one of a hundred parallel requests with revoke=true on two instances', async () => {
  const service = await aTestService();
  const instances = [service.app, service.anotherInstance()];
  const token = await service.identifier({ audience: ['rs1'] });
  const { members } = await consumeInParallel(instances, token, 100);
  expect(members).toMatchObject({ client_id: 'client', aud: ['rs1'] });
  for (const app of instances) expect(await call(app, { token })).toEqual(INACTIVE);
});

it('is not consumed by a caller outside its audience', async () => {
  const service = await aTestService();
  await service.register('rs2');
  const token = await service.identifier({ audience: ['rs2'] });
  expect(await call(service.app, { token, revoke: 'true' })).toEqual(INACTIVE);
  activeMembers(await call(service.app, { token, revoke: 'true' }, { authorization: basic('rs2') }));
  expect(await call(service.app, { token }, { authorization: basic('rs2') })).toEqual(INACTIVE);
});

it('has no effect on a self-contained token', async () => {
  const service = await aTestService();
  const token = await service.jwt();
  for (let round = 0; round < 3; round += 1)
    activeMembers(await call(service.app, { token, revoke: 'true' }));
});

it('does nothing with revoke=false', async () => {
  const service = await aTestService();
  const token = await service.identifier();
  for (let round = 0; round < 3; round += 1)
    activeMembers(await call(service.app, { token, revoke: 'false' }));
});
