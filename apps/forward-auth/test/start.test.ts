import { memoryLog } from '@vestibule/http/testing';
import { runService } from '@vestibule/service/process';
import { UNAFFECTED_HOST } from '@vestibule/service/testing';
import { expect, it, onTestFinished } from 'vitest';
import { build } from '../src/build.js';
import { loadForwardAuthConfig } from '../src/index.js';
import { forwarded, settingsFor } from './support/forward-auth-fixture.js';
import { startIntrospectionEndpoint } from './support/introspection-endpoint.js';

it('is ready without introspection, refuses with 503, logs why, and counts it', async () => {
  const endpoint = await startIntrospectionEndpoint();
  endpoint.stop();
  const log = memoryLog();
  const settings = loadForwardAuthConfig({
    ...settingsFor(endpoint),
    PORT: '0',
    MANAGEMENT_PORT: '0',
    SHUTDOWN_DRAIN_MS: '0',
    LOG_LEVEL: 'fatal',
  });
  const service = await runService(
    {
      name: 'forward-auth',
      load: () => settings,
      build: (context) => build({ ...context, logger: log.logger }),
    },
    UNAFFECTED_HOST,
  );
  if (service === undefined) throw new Error('did not start');
  onTestFinished(async () => void (await service.stop()));
  const management = `http://127.0.0.1:${service.managementPort}`;
  const ready = await fetch(`${management}/health/ready`);
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', dependencies: {} }]);
  const headers = forwarded('GET', '/orders', { headers: { authorization: 'Bearer a-token' } });
  const response = await fetch(`http://127.0.0.1:${service.port}/check`, { headers });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(log.lines()).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      reason: 'connection',
      msg: 'problem with forward authentication',
    }),
  );
  expect(log.text()).not.toContain('a-token');
  const metrics = await (await fetch(`${management}/metrics`)).text();
  expect(metrics).toMatch(/resource_server_requests_total\{outcome="unavailable",service="forward-auth"\} 1/);
  expect(metrics).not.toContain('dependency="introspection"');
});
