import { createLogger } from '@vestibule/http/observability';
import { expect, it } from 'vitest';
import { basic, call } from '../support/introspection-call.js';
import { aTestService, SECRET } from '../support/test-service.js';

it('logs every outcome, and no token, secret, header, query or response', async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const logger = createLogger({ level: 'trace', service: 'introspection', destination });
  const service = await aTestService({}, { logger });
  await service.register('no-scope', { scope: undefined });
  const canary = 'canary'.repeat(9);
  const [identifier, jwt] = [await service.identifier({ username: canary }), await service.jwt()];
  const { app } = service;
  const statuses = [
    await call(app, { token: identifier }),
    await call(app, { token: jwt }),
    await call(app, { token: canary, token_type_hint: canary }),
    await call(app, { token: identifier, revoke: canary }),
    await call(app, { token: canary }, { url: `/token/introspect?token=${canary}` }),
    await call(app, { token: canary }, { authorization: basic('rs1', canary) }),
    await call(app, { token: canary }, { authorization: basic(canary) }),
    await call(app, { token: canary }, { authorization: `Bearer ${canary}` }),
    await call(app, { token: canary }, { authorization: basic('no-scope') }),
    await call(app, { token: canary }, { method: 'GET', url: `/token/introspect?token=${canary}` }),
  ].map(({ status }) => status);
  await service.database.close();
  statuses.push((await call(app, { token: identifier })).status);
  expect(statuses).toEqual([200, 200, 200, 400, 400, 401, 401, 401, 403, 405, 500]);

  const logged = lines.map((line) => JSON.parse(line).status);
  expect(logged).toEqual(statuses);
  for (const secret of [canary, identifier, jwt, SECRET, 'alice', 'Basic', 'token='])
    expect(lines.join(''), secret).not.toContain(secret);
});
