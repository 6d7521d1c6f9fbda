import { randomBytes } from 'node:crypto';
import { operatorActor } from '@vestibule/clients';
import { ThrottledError } from '@vestibule/protocol';
import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import { expect, it } from 'vitest';
import { loadConsoleConfig } from '../../src/config.js';
import { composeLogin } from '../../src/login/compose-login.js';
import { buildTestConsole, ISSUER, ORIGIN } from '../support/build-test-console.js';

it('records requests for which the role does not suffice, and limits how many', async () => {
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
    rateLimits: tokenBuckets({ clock: store.clock }),
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
  const events = [];
  for await (const { actor, action, target, details } of store.database.auditEvents())
    events.push({ actor, action, target, details });
  expect(events).toEqual([
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
});
