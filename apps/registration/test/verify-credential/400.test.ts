import { aCertificate } from '@vestibule/client-auth/testing';
import { expect, it } from 'vitest';
import { buildTestApp, ISSUER, MASTER } from '../support/build-test-app.js';
import { badRequest, JSON_HEADERS, pathOf, registered, send } from '../support/calls.js';
import { aKeyPair, claimsOf, inPem, signed, verify, withMethod } from '../support/credentials.js';

const refused = (description: string) => badRequest('invalid_request', description);

it('requires exactly one credential', async () => {
  const { app } = await buildTestApp();
  const { client_id: id, client_secret } = await registered(app);
  const certificate = inPem(aCertificate());
  for (const body of [
    {},
    { client_secret, client_assertion: 'x' },
    { client_secret, certificate },
    { client_assertion: 'x', certificate },
    { endpoint: 'https://as.example/token' },
  ])
    expect(await verify(app, id, body)).toEqual(
      refused('exactly one of client_secret, client_assertion and certificate is required'),
    );
});

it('refuses members of another credential', async () => {
  const { app } = await buildTestApp();
  const { client_id: id, client_secret } = await registered(app);
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  const cases: [object, string][] = [
    [{ client_secret, endpoint: 'https://as.example' }, 'endpoint: only allowed with client_assertion'],
    [
      { client_secret, client_assertion_type: type },
      'client_assertion_type: only allowed with client_assertion',
    ],
    [{ client_secret, certificate_verified: true }, 'certificate_verified: only allowed with certificate'],
  ];
  for (const [body, description] of cases) expect(await verify(app, id, body)).toEqual(refused(description));
});

it('requires a URL at the origin of the issuer as endpoint', async () => {
  const { app } = await buildTestApp();
  const { client_id: id } = await registered(app);
  const [, host = ''] = ISSUER.split('://');
  for (const endpoint of [
    '',
    '/token',
    host,
    `${host}/token`,
    `//${host}/token`,
    `ftp://${host}/token`,
    `http://${host}/token`,
    ISSUER,
    `${ISSUER}/token#a`,
    `${ISSUER}:8443/token`,
    `${ISSUER}.evil.example/token`,
    `${ISSUER}@evil.example/token`,
    `${ISSUER}\\@evil.example/token`,
    `https://${host}:x@evil.example/token`,
    `https://user@${host}/token`,
    ` ${ISSUER}/token`,
    `https:\\\\${host}\\token`,
    'https://login.team.example/token',
    'https://evil.example/?https://as.example/token',
    'urn:x',
  ])
    expect(await verify(app, id, { client_assertion: 'x', endpoint }), endpoint).toEqual(
      refused(
        `endpoint: must be a URL that begins with ${ISSUER}/, the origin of the issuer, without a fragment`,
      ),
    );
});

it('does not verify an assertion for another server by its address as endpoint, nor without an endpoint', async () => {
  const service = await buildTestApp();
  const { privateKey, jwks } = aKeyPair();
  const { client_id: id } = await withMethod(service.app, 'private_key_jwt', { jwks });
  const endpoint = 'https://other-server.example/token';
  const client_assertion = await signed(privateKey, claimsOf(service, id, { aud: endpoint }));
  expect((await verify(service.app, id, { client_assertion, endpoint })).status).toBe(400);
  expect((await verify(service.app, id, { client_assertion })).body).toContain('"valid":false');
});

it('requires one certificate in PEM', async () => {
  const { app } = await buildTestApp();
  const { client_id: id } = await registered(app);
  const der = aCertificate();
  const pem = inPem(der);
  const certificates = [
    '',
    'x',
    der.toString('base64'),
    `${pem}${pem}`,
    encodeURIComponent(pem),
    pem.replace(/CERTIFICATE/g, 'PRIVATE KEY'),
    pem.replace(/\n[^\n]{64}\n/, '\n'),
    `x${pem}`,
  ];
  for (const certificate of certificates)
    expect(await verify(app, id, { certificate }), certificate).toEqual(
      refused('certificate: must be one certificate in PEM'),
    );
  for (const spelling of [pem.trim(), pem.replaceAll('\n', '\r\n'), `\n${pem}\n`])
    expect((await verify(app, id, { certificate: spelling })).status).toBe(200);
});

it('refuses members of another type, and members and parameters that are not known', async () => {
  const { app } = await buildTestApp();
  const { client_id: id, client_secret } = await registered(app);
  const cases: [unknown, string][] = [
    [{ client_secret: 1 }, 'client_secret: is invalid in the body'],
    [{ client_secret: { not: '' } }, 'client_secret: is invalid in the body'],
    [{ client_assertion: null }, 'client_assertion: is invalid in the body'],
    [{ certificate: [] }, 'certificate: is invalid in the body'],
    [{ client_assertion: 'x', client_assertion_type: 'x' }, 'client_assertion_type: is invalid in the body'],
    [{ client_secret, password: 'x' }, 'The body contains an unknown member'],
    [[], 'The body must be a JSON object'],
  ];
  for (const [body, description] of cases) expect(await verify(app, id, body)).toEqual(refused(description));
  expect(
    await send(app, `POST ${pathOf(id)}/verify?client_secret=x`, { token: MASTER, body: { client_secret } }),
  ).toEqual(refused('The query has an unknown parameter (the operation has none).'));
  const { status, headers } = await send(app, `POST ${pathOf(id)}/verify`, {
    token: MASTER,
    payload: 'client_secret=x',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect({ status, headers }).toEqual({ status: 400, headers: JSON_HEADERS });
});
