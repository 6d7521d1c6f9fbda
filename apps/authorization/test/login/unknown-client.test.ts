import { expect, it } from 'vitest';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';

const OPEN = { ALLOW_OPEN_REGISTRATION: 'true' };
const UNKNOWN = { error: 'invalid_client', error_description: 'client_id: no client is registered with it' };
const ADDRESS =
  '/authorize?client_id=deleted&response_type=code&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&state=s';

async function authorize(settings: Readonly<Record<string, string>>, accept: string, url = ADDRESS) {
  const { app, register } = await buildTestApp(settings, false, true);
  const known = await register();
  const target = url.replace('KNOWN', known.client_id);
  const { statusCode: status, headers, body } = await app.inject({ url: target, headers: { accept } });
  expect(headers.vary).toBe('Accept');
  expect(headers.location).toBeUndefined();
  return { status, type: String(headers['content-type']), body };
}

it('tells a program that its client is unknown, and where it can register', async () => {
  const { status, type, body } = await authorize(OPEN, 'application/json');
  expect(status).toBe(400);
  expect(type).toMatch(/^application\/json/);
  expect(JSON.parse(body)).toEqual({
    ...UNKNOWN,
    registration_endpoint: `${ISSUER}/clients`,
    state: 's',
    iss: ISSUER,
  });
});

it('names no registration endpoint unless anyone may register', async () => {
  const { body } = await authorize({}, 'application/json, text/html;q=0.9');
  expect(JSON.parse(body)).toEqual({ ...UNKNOWN, state: 's', iss: ISSUER });
});

it.each([
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  '*/*',
  'application/*;q=0.1, text/*',
])('shows the page if the request does not prefer JSON: %s', async (accept) => {
  const { status, type, body } = await authorize(OPEN, accept);
  expect([status, type]).toEqual([400, 'text/html; charset=utf-8']);
  expect(body).not.toContain('/clients');
});

it('responds with other errors that cannot be redirected in JSON too, without the registration endpoint', async () => {
  const addresses = [
    '/authorize?response_type=code',
    '/authorize?client_id=KNOWN&response_type=code&redirect_uri=https%3A%2F%2Fother.example',
  ];
  for (const [index, error] of ['invalid_request', 'invalid_redirect_uri'].entries()) {
    const { status, body } = await authorize(OPEN, 'application/json', addresses[index]);
    expect(status).toBe(400);
    expect(JSON.parse(body)).toEqual({ error, error_description: expect.any(String), iss: ISSUER });
  }
});

it.each([
  ['pending', 'client_id: the client waits for approval by an operator'],
  ['suspended', 'client_id: an operator suspended the client'],
] as const)(
  'tells a program and a person that a client is %s, and not to register',
  async (status, sentence) => {
    const { app, register, sql } = await buildTestApp(OPEN, false, true);
    const { client_id, client_secret } = await register();
    await sql(`UPDATE client SET status = '${status}' WHERE id = $1`, [client_id]);
    const url = ADDRESS.replace('deleted', client_id);
    const program = await app.inject({ url, headers: { accept: 'application/json' } });
    expect(program.statusCode).toBe(400);
    expect(program.json()).toEqual({ ...UNKNOWN, error_description: sentence, state: 's', iss: ISSUER });
    const person = await app.inject({ url, headers: { accept: 'text/html' } });
    expect([person.statusCode, person.body.includes(sentence)]).toEqual([400, true]);
    // Where a client authenticates, the right secret changes nothing.
    const forms = [
      { client_id, client_secret: client_secret ?? '' },
      { client_id, client_secret: 'wrong' },
    ];
    const responses = await Promise.all(
      [...forms, { client_id: 'unknown', client_secret: 'wrong' }].map(async (form) => {
        const payload = new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString();
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const { statusCode, body } = await app.inject({ method: 'POST', url: '/token', headers, payload });
        return `${statusCode} ${body}`;
      }),
    );
    expect(responses[0]).toMatch(/^401 /);
    expect(new Set(responses).size).toBe(1);
  },
);

it('does not know an expired client, whatever its status was', async () => {
  const { app, register, sql } = await buildTestApp(OPEN, false, true);
  const { client_id } = await register();
  await sql(`UPDATE client SET status = 'pending', expires_at = now() WHERE id = $1`, [client_id]);
  const url = ADDRESS.replace('deleted', client_id);
  const { body } = await app.inject({ url, headers: { accept: 'application/json' } });
  expect(JSON.parse(body)).toMatchObject({ ...UNKNOWN, registration_endpoint: `${ISSUER}/clients` });
});
