import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import { failedAuthenticationThrottle } from '@vestibule/service';
import { simulatedTime } from '@vestibule/tokens/testing';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../src/index.js';
import { METHODS, type Proof, proofOf, registerCaller } from '../support/callers.js';
import { activeMembers, basic, call, type Seen } from '../support/introspection-call.js';
import { aTestService } from '../support/test-service.js';

const PER_MINUTE = 2;
const LONGEST_HOLD_MS = 1_500;

/** A service whose delayed refusals are sent when the test lets time pass. */
async function aThrottlingService() {
  const service = await aTestService();
  const { clock, scheduler, pass } = simulatedTime();
  const throttle = failedAuthenticationThrottle({
    store: tokenBuckets({ clock }),
    scheduler,
    perMinute: PER_MINUTE,
    random: () => 0.5,
  });
  const held: string[] = [];
  const refusals = {
    release: () => {
      held.push('refused');
      return throttle.release();
    },
  };
  const app = buildApp({ ...service.deps, failedAuthentications: refusals }, { logger: false });
  onTestFinished(() => app.close());
  const token = await service.identifier();
  const introspect = ({ authorization, form, headers = {} }: Partial<Proof>) =>
    call(app, { token, ...form }, { authorization, headers });
  const untilRefused = async (count: number) => {
    while (held.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { service, introspect, pass: () => pass(LONGEST_HOLD_MS), untilRefused };
}

const unknown = { authorization: basic('unknown-id') };
const wrong = { authorization: basic('rs1', 'wrong') };
const dead = { authorization: `Bearer ${'x'.repeat(43)}` };

it('delays refusals after too many failures, for every client_id, with the same response', async () => {
  const { introspect, pass, untilRefused } = await aThrottlingService();
  const atOnce = [await introspect(unknown), await introspect(wrong)];
  const responses: Seen[] = [];
  const late = [unknown, wrong, dead, {}].map((proof) =>
    introspect(proof).then((seen) => responses.push(seen)),
  );
  await untilRefused(PER_MINUTE + late.length);
  await introspect({ authorization: basic() });
  expect(responses).toEqual([]);
  pass();
  await Promise.all(late);
  expect(responses).toHaveLength(late.length);
  for (const { status } of responses) expect(status).toBe(401);
  for (const response of atOnce) expect(responses).toContainEqual(response);
});

it.each(METHODS)(
  'responds at once to a successful authentication with %s, however many fail',
  async (method) => {
    const { introspect, service, pass, untilRefused } = await aThrottlingService();
    await registerCaller(service, 'caller', method);
    const failing = Array.from({ length: 20 }, () => introspect(unknown));
    await untilRefused(failing.length);
    activeMembers(await introspect(await proofOf(service, 'caller', method)));
    pass();
    for (const { status } of await Promise.all(failing)) expect(status).toBe(401);
  },
);

it('does not delay other refusals', async () => {
  const { introspect, service, pass, untilRefused } = await aThrottlingService();
  await service.register('without-right', { scope: 'read' });
  const failing = Array.from({ length: 5 }, () => introspect(unknown));
  await untilRefused(failing.length);
  expect(await introspect({ authorization: basic('without-right') })).toMatchObject({ status: 403 });
  expect(await introspect({ authorization: basic(), form: { client_secret: 'x' } })).toMatchObject({
    status: 400,
  });
  pass();
  await Promise.all(failing);
});
