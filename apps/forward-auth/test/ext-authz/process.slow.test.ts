import { status } from '@grpc/grpc-js';
import { freePort } from '@vestibule/local-services';
import { runService } from '@vestibule/service/process';
import { UNAFFECTED_HOST } from '@vestibule/service/testing';
import { expect, it, onTestFinished } from 'vitest';
import { build } from '../../src/build.js';
import { loadForwardAuthConfig } from '../../src/index.js';
import { anEnvoy } from '../support/envoy.js';
import { forwarded, settingsFor } from '../support/forward-auth-fixture.js';
import { startIntrospectionEndpoint } from '../support/introspection-endpoint.js';

it('serves both protocols with the same routes and metrics, and drains both before it ends', async () => {
  const endpoint = await startIntrospectionEndpoint();
  const grpcPort = await freePort();
  const settings = loadForwardAuthConfig({
    ...settingsFor(endpoint),
    PORT: '0',
    GRPC_PORT: String(grpcPort),
    MANAGEMENT_PORT: '0',
    // Long enough for three requests on a busy machine.
    SHUTDOWN_DRAIN_MS: '5000',
    LOG_LEVEL: 'fatal',
  });
  const service = await runService({ name: 'forward-auth', load: () => settings, build }, UNAFFECTED_HOST);
  if (service === undefined) throw new Error('did not start');
  onTestFinished(async () => void (await service.stop()));
  const { check, health } = anEnvoy(grpcPort);
  const overGrpc = async () => (await check({ host: 'api.example', path: '/health' })).status.code;
  const overHttp = async () =>
    (await fetch(`http://127.0.0.1:${service.port}/check`, { headers: forwarded('GET', '/health') })).status;
  expect([await overHttp(), await overGrpc(), await health('')]).toEqual([200, status.OK, 'SERVING']);
  const metrics = await (await fetch(`http://127.0.0.1:${service.managementPort}/metrics`)).text();
  for (const operation of ['GET /check', 'POST /envoy.service.auth.v3.Authorization/Check'])
    expect(metrics).toContain(`route_group="forward-auth",operation="${operation}",status="200"`);

  const stopped = service.stop();
  expect([await overHttp(), await overGrpc(), await health('')]).toEqual([200, status.OK, 'NOT_SERVING']);
  expect(await stopped).toBe(true);
  await expect(check({})).rejects.toMatchObject({ code: status.UNAVAILABLE });
});
