import { createLogger } from '@vestibule/http/observability';
import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import { frozenClock } from '@vestibule/protocol/testing';
import { failedAuthenticationThrottle } from '@vestibule/service';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../src/index.js';
import type { RefusedCredential } from '../../src/verify-credential.js';
import { buildTestApp } from '../support/build-test-app.js';
import { registered } from '../support/calls.js';
import { verify } from '../support/credentials.js';

it('delays the responses to invalid credentials beyond the limit, whatever the client, and never those to valid ones', async () => {
  const { deps } = await buildTestApp();
  const planned: (() => void)[] = [];
  const failedAuthentications = failedAuthenticationThrottle({
    store: tokenBuckets({ clock: frozenClock() }),
    scheduler: { after: (_delayMs, run) => planned.push(run) },
    perMinute: 2,
    random: () => 0.5,
  });
  const verification = { ...deps.verification, failedAuthentications };
  const app = buildApp({ ...deps, verification }, { logger: false });
  onTestFinished(() => app.close());
  const { client_id: id, client_secret } = await registered(app);
  for (let round = 0; round < 2; round += 1) await verify(app, id, { client_secret: 'wrong' });
  const delayed = [verify(app, id, { client_secret: 'wrong' }), verify(app, 'unknown', { client_secret })];
  while (planned.length < 2) await new Promise((resolve) => setImmediate(resolve));
  for (let round = 0; round < 3; round += 1)
    expect((await verify(app, id, { client_secret })).body).toContain('true');
  expect(planned).toHaveLength(2);
  for (const run of planned.splice(0)) run();
  for (const { body } of await Promise.all(delayed)) expect(body).toBe('{"valid":false}');
});

it('is limited by the settings', async () => {
  const limited = await buildTestApp();
  expect(limited.deps.verification.failedAuthentications).toBeDefined();
  for (const settings of [{ RATE_LIMITS_ENABLED: 'false' }, { FAILED_AUTHENTICATIONS_PER_MINUTE: '0' }]) {
    const { deps } = await limited.anotherInstance(settings);
    expect(deps.verification.failedAuthentications).toBeUndefined();
  }
});

it('reports why a credential is not valid for log and metrics, and logs no credential', async () => {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'trace',
    service: 'registration',
    destination: { write: (line) => void lines.push(line) },
  });
  const { deps } = await buildTestApp();
  const refused: RefusedCredential[] = [];
  const verification = { ...deps.verification, onRefused: (each: RefusedCredential) => refused.push(each) };
  const app = buildApp({ ...deps, verification }, { logger });
  onTestFinished(() => app.close());
  const { client_id: id, client_secret = '' } = await registered(app);
  await verify(app, id, { client_secret });
  await verify(app, id, { client_secret: 'canary-secret' });
  await verify(app, id, { client_assertion: 'canary.canary.canary' });
  await verify(app, 'canary', { client_secret });
  await verify(app, id, { client_secret, 'canary-member': 'canary' });
  expect(refused).toEqual([
    { reason: 'credential', detail: 'the secret is wrong' },
    { reason: 'assertion_malformed', detail: expect.any(String) },
    { reason: 'credential', detail: 'the client does not exist' },
  ]);
  const text = lines.join('') + JSON.stringify(refused);
  for (const word of ['canary', client_secret, id]) expect(text.includes(word), word.slice(0, 6)).toBe(false);
});
