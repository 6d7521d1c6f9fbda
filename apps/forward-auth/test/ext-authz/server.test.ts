import { credentials, status } from '@grpc/grpc-js';
import { TEST_CERTIFICATE } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import type { Decision } from '../../src/decision.js';
import { anEnvoy, checkRequest, encodedCheckRequest } from '../support/envoy.js';
import { ALLOWED, aGrpcServer } from '../support/grpc-server.js';

/** A decision that the test makes. */
function openDecision() {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let allow = () => {};
  const decision = new Promise<Decision>((resolve) => {
    allow = () => resolve(ALLOWED);
  });
  const decide = () => {
    begin();
    return decision;
  };
  return { decide, begun, allow: () => allow() };
}

it('finishes a running check when it closes, and takes no other', async () => {
  const { decide, begun, allow } = openDecision();
  const { port, close } = await aGrpcServer({ decide });
  const running = anEnvoy(port).check({});
  await begun;
  const closed = close();
  await expect(anEnvoy(port).check({})).rejects.toMatchObject({ code: status.UNAVAILABLE });
  allow();
  expect(await running).toMatchObject({ status: { code: status.OK } });
  expect(await closed).toBe(true);
});

it('cuts off a check that does not end within the limit, and says so', async () => {
  const { decide, begun, allow } = openDecision();
  const { port, close } = await aGrpcServer({ decide });
  const running = anEnvoy(port).check({});
  const outcome = expect(running).rejects.toMatchObject({ code: expect.any(Number) });
  await begun;
  const startedAt = performance.now();
  expect(await close(50)).toBe(false);
  await outcome;
  // A connection that is not cut ends with its next keepalive ping, after 30 seconds.
  expect(performance.now() - startedAt).toBeLessThan(25_000);
  allow();
});

it('closes at once while a connection is idle', async () => {
  const { port, close } = await aGrpcServer();
  const envoy = anEnvoy(port);
  await envoy.check({});
  await close();
  await expect(envoy.check({})).rejects.toMatchObject({ code: status.UNAVAILABLE });
});

it('respects the deadline of the caller, and goes on after it', async () => {
  const { decide, begun, allow } = openDecision();
  const { port } = await aGrpcServer({ decide });
  const envoy = anEnvoy(port);
  const late = envoy.checkBytes(encodedCheckRequest(checkRequest({})), Date.now() + 200);
  await expect(late).rejects.toMatchObject({ code: status.DEADLINE_EXCEEDED });
  await begun;
  allow();
  expect(await envoy.check({})).toMatchObject({ status: { code: status.OK } });
});

it('refuses a message that is malformed or about no request over HTTP with 400', async () => {
  const problems: string[] = [];
  const { port, scrape } = await aGrpcServer({ onMisconfiguredGateway: (problem) => problems.push(problem) });
  const envoy = anEnvoy(port);
  const whole = encodedCheckRequest(checkRequest({}));
  for (const bytes of [Buffer.alloc(0), Buffer.from([0xff]), whole.subarray(0, -1)]) {
    const { ok_response, ...response } = await envoy.checkBytes(bytes);
    expect(response).toMatchObject({
      status: { code: status.INVALID_ARGUMENT },
      denied_response: { status: { code: 'BadRequest' }, body: '' },
    });
    expect(ok_response).toBeUndefined();
  }
  expect(problems).toEqual(
    Array(3).fill('a check must have the method, host and path of a request over HTTP'),
  );
  const labels =
    'route_group="forward-auth",operation="POST /envoy.service.auth.v3.Authorization/Check",status="400"';
  expect(await scrape()).toContain(`http_requests_total{${labels},service="forward-auth"} 3\n`);
});

it('refuses a message of more than 128 KiB', async () => {
  const { port } = await aGrpcServer();
  const envoy = anEnvoy(port);
  const large = (bytes: number) => envoy.check({ headers: { 'x-large': 'x'.repeat(bytes) } });
  expect(await large(130_000)).toMatchObject({ status: { code: status.OK } });
  await expect(large(131_072)).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
});

it('tells its health, and that it drains', async () => {
  const { port, beginDrain } = await aGrpcServer();
  const { health, check } = anEnvoy(port);
  const names = ['', 'envoy.service.auth.v3.Authorization'];
  for (const name of names) expect(await health(name)).toBe('SERVING');
  beginDrain();
  for (const name of names) expect(await health(name)).toBe('NOT_SERVING');
  expect(await check({})).toMatchObject({ status: { code: status.OK } });
  await expect(health('orders')).rejects.toMatchObject({ code: status.NOT_FOUND });
});

it('tells the operator that its port is in use', async () => {
  const { port } = await aGrpcServer();
  await expect(aGrpcServer({}, port)).rejects.toThrow(
    `Cannot listen on 127.0.0.1, port ${port} (GRPC_PORT): the port is already in use.`,
  );
});

it('terminates TLS, and takes checks only from clients with a certificate of its authorities, if it has some', async () => {
  const { cert, key } = TEST_CERTIFICATE;
  const secure = (...own: readonly Buffer[]) =>
    credentials.createSsl(Buffer.from(cert), own[0], own[1], { checkServerIdentity: () => undefined });
  const tls = { certificate: cert, key };
  const open = await aGrpcServer({ tls });
  expect((await anEnvoy(open.port, secure()).check({})).status.code).toBe(status.OK);
  await expect(anEnvoy(open.port).check({})).rejects.toMatchObject({ code: status.UNAVAILABLE });
  const closed = await aGrpcServer({ tls: { ...tls, clientAuthorities: cert } });
  const certified = secure(Buffer.from(key), Buffer.from(cert));
  expect((await anEnvoy(closed.port, certified).check({})).status.code).toBe(status.OK);
  await expect(anEnvoy(closed.port, secure()).check({})).rejects.toMatchObject({ code: status.UNAVAILABLE });
});
