import { aCertificate, LIBRARY_ASSERTIONS } from '@vestibule/client-auth/testing';
import { secretSigningKey } from '@vestibule/crypto/jwt';
import { expect, it } from 'vitest';
import {
  assertionForm,
  assertionOf,
  bearerProof,
  certificateHeaders,
  LONG_SECRET,
  METHODS,
  type Method,
  type Proof,
  proofOf,
  registerCaller,
} from '../support/callers.js';
import { call, JSON_HEADERS, type Seen } from '../support/introspection-call.js';
import { aTestService, ISSUER, type TestService } from '../support/test-service.js';

const introspectWith = ({ app }: TestService, token: string, { authorization, form, headers }: Proof) =>
  call(app, { token, ...form }, { authorization, headers });

function failure(status: number, error: string, description: string, headers = {}): Seen {
  const body = JSON.stringify({ error, error_description: description });
  return { status, headers: { ...JSON_HEADERS, ...headers }, body };
}

const challenge = (scheme: string) => ({ 'www-authenticate': scheme });
const FAILED = failure(
  401,
  'invalid_client',
  'Client authentication failed or is missing',
  challenge('Basic realm="token introspection", charset="UTF-8"'),
);
const unauthenticated = (description: string) =>
  failure(
    401,
    'invalid_client',
    description,
    challenge('Basic realm="token introspection", charset="UTF-8"'),
  );
/** The response for a caller with the right secret but another method than the registered one. */
const otherThan = (own: Method, used: Method) =>
  unauthenticated(
    `The client is registered for ${own}, but this request used ${used}. Authenticate with ${own}, or register token_endpoint_auth_method: ${used}`,
  );
const ENDPOINT = `${ISSUER}/token/introspect`;
/** The response for a client without the grant or scope for introspection, with the remedy. */
const denied = (lacking: string) =>
  failure(
    403,
    'access_denied',
    `The client is not registered for ${lacking}. Register it with an initial access token whose scope is client-reg:grant:client client-reg:scope:${ENDPOINT}, or have an operator update it`,
  );
const DENIED: Readonly<Record<string, Seen>> = {
  'no-scope': denied(`scope value ${ENDPOINT}`),
  'no-grant': denied('grant type client_credentials'),
};
const BEARER_DENIED = failure(
  403,
  'access_denied',
  `The access token lacks scope value ${ENDPOINT}. Request one with grant type client_credentials and that scope`,
  challenge(`Bearer realm="token introspection", error="insufficient_scope", scope="${ENDPOINT}"`),
);
const SEVERAL = failure(400, 'invalid_request', 'The request must contain only one credential');

/** Whether two methods send the same proof. */
const isSameProof = (one: Method, other: Method) =>
  one === other || (one.includes('tls_client_auth') && other.includes('tls_client_auth'));

it.each(METHODS)(
  'authenticates a client with %s only by that method, and requires the grant and the scope',
  async (own) => {
    const service = await aTestService();
    const token = await service.identifier();
    await registerCaller(service, 'good', own);
    await registerCaller(service, 'no-scope', own, { scope: 'read' });
    await registerCaller(service, 'no-grant', own, { grant_types: ['authorization_code'] });
    for (const method of METHODS) {
      const isOwn = isSameProof(method, own);
      const response = await introspectWith(service, token, await proofOf(service, 'good', method));
      if (isOwn)
        expect(response).toMatchObject({ status: 200, body: expect.stringContaining('"active":true') });
      else
        expect(response, method).toEqual(
          method.startsWith('client_secret_') && !method.endsWith('_jwt') ? otherThan(own, method) : FAILED,
        );
      for (const id of ['no-scope', 'no-grant'])
        expect(
          await introspectWith(service, token, await proofOf(service, id, method)),
          `${method} ${id}`,
        ).toEqual(isOwn ? DENIED[id] : response);
    }
  },
);

it('accepts an access token with the scope from a client with any method', async () => {
  const service = await aTestService();
  const token = await service.identifier();
  for (const method of METHODS) {
    await registerCaller(service, method, method, { scope: 'read', grant_types: [] });
    expect(await introspectWith(service, token, await bearerProof(service, method))).toMatchObject({
      status: 200,
    });
    expect(await introspectWith(service, token, await bearerProof(service, method, 'read'))).toEqual(
      BEARER_DENIED,
    );
  }
});

it('refuses any two credentials in one request, valid or not, whatever the client registered', async () => {
  const service = await aTestService();
  for (const method of METHODS) await registerCaller(service, method, method);
  const proofs = async (id: string) => ({
    header: [await proofOf(service, id, 'client_secret_basic'), await bearerProof(service, id)],
    secret: [await proofOf(service, id, 'client_secret_post')],
    assertion: [
      await proofOf(service, id, 'client_secret_jwt'),
      await proofOf(service, id, 'private_key_jwt'),
      { form: { client_assertion_type: 'x' }, headers: {} },
    ],
  });
  for (const id of METHODS) {
    const { header, secret, assertion } = await proofs(id);
    for (const [ones, others] of [
      [header, secret],
      [header, assertion],
      [secret, assertion],
    ] as const) {
      for (const one of ones) {
        for (const other of others) {
          const both = { ...one, ...other, form: { ...one.form, ...other.form } };
          expect(await introspectWith(service, 'x', both)).toEqual(SEVERAL);
          const bad = { ...both, authorization: both.authorization && 'Basic x' };
          expect(await introspectWith(service, 'x', bad as Proof)).toEqual(SEVERAL);
        }
      }
    }
  }
});

it('ignores a certificate beside another credential, and refuses a contradicting client_id', async () => {
  const service = await aTestService();
  await registerCaller(service, 'a', 'private_key_jwt');
  await registerCaller(service, 'b', 'tls_client_auth');
  const assertion = await proofOf(service, 'a', 'private_key_jwt');
  const headers = certificateHeaders();
  expect(await introspectWith(service, 'x', { ...assertion, headers })).toMatchObject({ status: 200 });
  const contradicting = await proofOf(service, 'a', 'private_key_jwt');
  const form = { ...contradicting.form, client_id: 'b' };
  expect(await introspectWith(service, 'x', { ...contradicting, form })).toEqual(
    failure(400, 'invalid_request', 'client_id: does not match the client of the credential'),
  );
});

it('refuses certificates that are not verified, are not the registered ones, or have no registered name', async () => {
  const service = await aTestService();
  for (const method of ['tls_client_auth', 'self_signed_tls_client_auth'] as const) {
    await registerCaller(service, method, method);
    const good = await proofOf(service, method, method);
    expect(await introspectWith(service, 'x', good)).toMatchObject({ status: 200 });
    const { 'client-cert-proof': _, ...unproven } = good.headers;
    const other = aCertificate({ subject: [[['2.5.4.3', 'other']]] });
    const bad: Proof[] = [
      { ...good, headers: unproven },
      { ...good, headers: { ...good.headers, 'client-cert-proof': 'x'.repeat(44) } },
      { ...good, headers: { ...good.headers, 'client-cert': ':AAAA:' } },
      { ...good, headers: certificateHeaders(other) },
      { ...good, headers: {} },
      { ...good, form: {} },
      { ...good, form: { client_id: 'unknown' } },
    ];
    for (const proof of bad)
      expect(await introspectWith(service, 'x', proof), JSON.stringify(proof)).toEqual(FAILED);
    const { app } = service;
    const far = { ...good, authorization: undefined, remoteAddress: '192.0.2.1' };
    const { form, ...rest } = far;
    expect(await call(app, { token: 'x', ...form }, rest)).toEqual(FAILED);
  }
});

it('refuses assertions for other audiences, outside their times and without a jti, with the same response for unknown clients', async () => {
  const service = await aTestService();
  await registerCaller(service, 'rs', 'private_key_jwt');
  const now = Math.floor(service.clock.nowMs() / 1000);
  const audience = `aud must be one value: ${ISSUER} or ${ISSUER}/token or ${ISSUER}/token/introspect`;
  const cases: [changes: Readonly<Record<string, unknown>>, fault: string][] = [
    [{ aud: `${ISSUER}/par` }, audience],
    [{ aud: `${ISSUER}/` }, audience],
    [{ aud: ISSUER.toUpperCase() }, audience],
    [{ aud: [ISSUER, 'https://other.example'] }, audience],
    [{ exp: now + 3_631 }, 'exp must be at most 3600 seconds ahead'],
    [{ exp: 2_145_916_800 }, 'exp must be at most 3600 seconds ahead'],
    [{ exp: now }, 'exp has passed'],
    [{ exp: String(now + 60) }, 'exp must be a time in seconds since 1970'],
    [{ iat: now + 60 }, 'iat lies in the future'],
    [{ nbf: now + 60 }, 'nbf lies in the future'],
    [{ jti: '' }, 'jti must be a string that no earlier assertion used'],
    [{ iss: 'other' }, 'iss must be the client_id, like sub'],
    [{ iss: ISSUER }, 'iss must be the client_id, like sub'],
  ];
  for (const [change, fault] of cases)
    for (const id of ['rs', 'unknown']) {
      const form = assertionForm(await assertionOf(service, id, change));
      expect(await introspectWith(service, 'x', { form, headers: {} }), JSON.stringify(change)).toEqual(
        unauthenticated(`client_assertion: ${fault}`),
      );
    }
  const form = assertionForm(await assertionOf(service, 'rs', { aud: [ISSUER], exp: now + 299 }));
  expect(await introspectWith(service, 'x', { form, headers: {} })).toMatchObject({ status: 200 });
  expect(await introspectWith(service, 'x', { form, headers: {} })).toEqual(
    unauthenticated('client_assertion: jti was used before; every request needs a new assertion'),
  );
});

it.each(LIBRARY_ASSERTIONS.map((made) => [made.library, made] as const))(
  'accepts assertions of %s by key pair and by secret',
  async (_library, { claims, header }) => {
    const service = await aTestService();
    const token = await service.identifier();
    const typ = typeof header['typ'] === 'string' ? { typ: header['typ'] } : {};
    for (const method of ['private_key_jwt', 'client_secret_jwt'] as const) {
      await registerCaller(service, method, method);
      const made = claims({
        clientId: method,
        issuer: ISSUER,
        tokenEndpoint: `${ISSUER}/token`,
        nowSeconds: Math.floor(service.clock.nowMs() / 1000),
      });
      const key = method === 'client_secret_jwt' ? { key: secretSigningKey(LONG_SECRET, 'HS256') } : {};
      const form = assertionForm(await assertionOf(service, method, made, { ...typ, ...key }));
      expect(await introspectWith(service, token, { form, headers: {} })).toMatchObject({ status: 200 });
    }
  },
);
