import { randomBytes } from 'node:crypto';
import { operatorActor } from '@vestibule/clients';
import { ThrottledError } from '@vestibule/protocol';
import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import { expect, it } from 'vitest';
import { loadConsoleConfig } from '../../src/config.js';
import { composeLogin } from '../../src/login/compose-login.js';
import { consoleLimits } from '../../src/login/limits.js';
import { buildTestConsole, ISSUER, ORIGIN } from '../support/build-test-console.js';

it.each([
  ['with rate limits', true],
  ['without rate limits, because audit events cannot be deleted', false],
])('records requests for which the role does not suffice, and limits how many: %s', async (_, isEnabled) => {
  const { store, deps, databaseUrl } = await buildTestConsole();
  const config = loadConsoleConfig({
    BASE_URL: ISSUER,
    CONSOLE_URL: ORIGIN,
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
  });
  const logged: unknown[] = [];
  const { routes } = composeLogin(config, store, deps.registration, {
    egress: { fetchDocument: () => Promise.reject(new Error('nothing is fetched here')) },
    limits: consoleLimits(tokenBuckets({ clock: store.clock }), isEnabled),
    onLogin: () => undefined,
    onProviderProblem: () => undefined,
    onUncheckedSession: () => undefined,
    onRefused: (refusal) => logged.push(refusal),
  });
  const operator = {
    subject: 'ada',
    name: 'Ada',
    role: 'viewer',
    actor: operatorActor('ada'),
  } as const;
  const refuse = () =>
    routes.recordRefusal({ operator, method: 'POST', path: '/clients/:id/delete', required: 'admin' });
  await refuse();
  const recorded = async () => {
    const events = [];
    for await (const { actor, action, target, details } of store.database.auditEvents())
      events.push({ actor, action, target, details });
    return events;
  };
  expect(await recorded()).toEqual([
    {
      actor: 'operator:ada',
      action: 'console.refused',
      target: 'console',
      details: { method: 'POST', path: '/clients/:id/delete', required: 'admin', role: 'viewer' },
    },
  ]);
  expect(logged).toHaveLength(1);
  for (let count = 1; count < 30; count += 1) await refuse();
  await expect(refuse()).rejects.toThrow(ThrottledError);
  expect(await recorded()).toHaveLength(30);
  expect(logged).toHaveLength(30);
});
