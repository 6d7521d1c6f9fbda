import { afterAll, beforeAll, expect, it } from 'vitest';
import { introspect, type OperatedStack, openStack, tokenFor } from '../support/operated-stack.js';

/** Hashes of `hunter2` by Spring Security, Ory Hydra and Go. */
const SPRING = '{bcrypt}$2a$10$BhRjRqc58LTbFyp6zjcmFut/V/9DLUsIepoML3mDeenSOLc8Z0uuS';
const HYDRA =
  '$pbkdf2-sha256$i=25000,l=32$KxQyE9tfMKwqzTaRWoFJ3A$KdF6tg+3MLDiji1Hb74NmJ/BD5g+LxI3rCFFwY/k//M';
const GO = '$2a$05$H08PAImEaXo1Sov4ZVgNkOTjO7syepSe1OGWr1E7IJLXwn0EH9eIK';
/** Hash of `hunter2` that takes some ten milliseconds, so that clients are served in time however busy the machine is. */
const MODERATE = '$2a$08$BhRjRqc58LTbFyp6zjcmFuqeQTRHzqeIMWaeWkNsy3sOcV5FGzxFS';
/** Hash of `short`. */
const DJANGO = 'pbkdf2_sha256$1000000$pxVNnqja3OHKdRA6Q8Nreo$R4qEYphgzmPcvdRNvsq/JtZ7ottFpInUl/c2Ha5A+TQ=';

let stack: OperatedStack;

beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.stop());

const resourceServer = (id: string, secret: object) => ({
  client_id: id,
  grant_types: ['client_credentials'],
  response_types: [],
  scope: `read ${stack.baseUrl}/token/introspect`,
  ...secret,
});

async function importing(from: string, clients: readonly object[], ...options: string[]) {
  const path = await stack.file(
    'moved.ndjson',
    `${clients.map((each) => JSON.stringify(each)).join('\n')}\n`,
  );
  return ['clients', 'import', path, '--from', from, ...options];
}

const shown = async (id: string) =>
  (await stack.send(`/clients/${encodeURIComponent(id)}`, { token: stack.masterToken })).body;

const atTokenEndpoint = (id: string, secret: string, inForm = false) => {
  const form = { grant_type: 'client_credentials', scope: 'read' };
  return inForm
    ? stack.send('/token', { form: { ...form, client_id: id, client_secret: secret } })
    : stack.send('/token', { basic: [id, secret], form });
};

it('imports short secrets, which work at once, and warns about them', async () => {
  const clients = [
    resourceServer('short', { client_secret: 's3cr:t' }),
    resourceServer('one', { client_secret: 'x', token_endpoint_auth_method: 'client_secret_post' }),
    resourceServer('strong', { client_secret: 'qVx0oW3mZ1rT8uYbN5cKd7LpHs2JfGaE' }),
  ];
  const said = await stack.text(await importing('oidc-provider', clients));
  expect(said).toMatch(/^created +3$/m);
  expect(said).toContain('Imported secrets with fewer than 128 bits: 2. Replace them when you can');
  expect(said).not.toContain('s3cr:t');
  const token = await tokenFor(stack, { client_id: 'short', aud: ['short'] });
  expect(await introspect(stack, ['short', 's3cr:t'], token)).toMatchObject({
    status: 200,
    body: { active: true },
  });
  expect(await introspect(stack, ['short', 's3cr:u'], token)).toMatchObject({ status: 401 });
  expect(await atTokenEndpoint('short', 's3cr:t')).toMatchObject({ status: 200 });
  expect(await atTokenEndpoint('one', 'x', true)).toMatchObject({ status: 200 });
  expect(await atTokenEndpoint('one', 'y', true)).toMatchObject({ status: 401 });
});

it('refuses secrets that cannot be kept by line and member, and states the remedy', async () => {
  const clients = [
    resourceServer('good', { client_secret_hash: GO }),
    resourceServer('argon', { client_secret_hash: '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA' }),
    resourceServer('dear', { client_secret_hash: GO.replace('$05$', '$31$') }),
    resourceServer('jwt', { client_secret_hash: GO, token_endpoint_auth_method: 'client_secret_jwt' }),
    resourceServer('hmac', { client_secret: 'short', token_endpoint_auth_method: 'client_secret_jwt' }),
  ];
  const { stdout } = await stack.refused(1, await importing('oidc-provider', clients, '--dry-run'));
  const remedy = 'Use --new-secrets to issue a new one, or --skip to skip the client.';
  for (const line of [
    /argon +problem +Line 2: Its secret cannot be kept\. The member client_secret_hash must be a hash of bcrypt .* or of PBKDF2 /,
    /dear +problem +Line 3: .*The member client_secret_hash has bcrypt cost 31; it must be 4 to 14\./,
    /jwt +problem +Line 4: .*\(client_secret_hash\); token_endpoint_auth_method needs the secret itself\./,
    /hmac +problem +Line 5: .*The secret has 5 characters; HS256 \(token_endpoint_auth_method\) needs 32 /,
  ])
    expect(stdout.split('\n').find((text) => line.test(text))).toContain(remedy);
  expect(stdout).toMatch(/^would be created +1$/m);
  expect(stdout).not.toContain('H08PAImE');
});

it('verifies a hash at the first introspection with Basic authentication, also of many at once, and then replaces it', async () => {
  const ids = ['spring', 'hydra'];
  const clients = [
    resourceServer('spring', { client_secret_hash: SPRING }),
    resourceServer('hydra', { client_secret: HYDRA }),
  ];
  const said = await stack.text(await importing('hydra', clients));
  expect(said).toContain('Secrets imported as hashes: 2.');
  for (const id of ids) {
    const token = await tokenFor(stack, { client_id: id, aud: [id] });
    expect(await introspect(stack, [id, 'hunter3'], token)).toMatchObject({ status: 401 });
    const before = await shown(id);
    expect(before).not.toHaveProperty('client_secret');
    expect(before).not.toHaveProperty('client_secret_expires_at');
    const first = await Promise.all(
      Array.from({ length: 30 }, () => introspect(stack, [id, 'hunter2'], token)),
    );
    for (const response of first) expect(response).toMatchObject({ status: 200, body: { active: true } });
    expect(await shown(id)).toMatchObject({ client_secret: 'hunter2', client_secret_expires_at: 0 });
    expect(await introspect(stack, [id, 'hunter2'], token)).toMatchObject({ status: 200 });
    expect(await introspect(stack, [id, 'hunter3'], token)).toMatchObject({ status: 401 });
    expect((await stack.events()).filter((event) => event.endsWith(`client:${id}`))).toEqual([
      `operator:cli client.registered client:${id}`,
      `service client.secret_taken_over client:${id}`,
    ]);
  }
});

it('verifies a hash at the first request to the token endpoint, in the header and in the form', async () => {
  const clients = [
    resourceServer('go', { client_secret_hash: GO }),
    resourceServer('django', {
      client_secret_hash: DJANGO,
      token_endpoint_auth_method: 'client_secret_post',
    }),
  ];
  await stack.text(await importing('oidc-provider', clients));
  for (const [id, secret, inForm] of [
    ['go', 'hunter2', false],
    ['django', 'short', true],
  ] as const) {
    expect(await atTokenEndpoint(id, 'wrong', inForm)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(await atTokenEndpoint(id, secret, !inForm)).toMatchObject({ status: 401 });
    expect(await shown(id)).not.toHaveProperty('client_secret');
    const first = await Promise.all(Array.from({ length: 10 }, () => atTokenEndpoint(id, secret, inForm)));
    for (const response of first)
      expect(response).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
    expect(await shown(id)).toMatchObject({ client_secret: secret });
    expect(await atTokenEndpoint(id, 'wrong', inForm)).toMatchObject({ status: 401 });
  }
});

// An attacker who knows a client with an unused imported secret could otherwise block the whole process.
it('refuses floods of guesses for one client with 429, while other clients are served', async () => {
  const clients = [
    resourceServer('guessed', { client_secret_hash: MODERATE }),
    resourceServer('bystander', { client_secret_hash: GO }),
    resourceServer('ordinary', { client_secret: 'qVx0oW3mZ1rT8uYbN5cKd7LpHs2JfGaE' }),
  ];
  await stack.text(await importing('oidc-provider', clients));
  const token = await tokenFor(stack, { client_id: 'ordinary', aud: ['ordinary', 'bystander'] });
  const guess = (path: string, form: Readonly<Record<string, string>>, index: number) =>
    fetch(`${stack.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`guessed:guess-${index}`)}` },
      body: new URLSearchParams(form),
    });
  for (const [path, form] of [
    ['/token/introspect', { token }],
    ['/token', { grant_type: 'client_credentials' }],
  ] as const) {
    const guesses = Promise.all(Array.from({ length: 20 }, (_, index) => guess(path, form, index)));
    const ordinary = introspect(stack, ['ordinary', 'qVx0oW3mZ1rT8uYbN5cKd7LpHs2JfGaE'], token);
    expect(await ordinary).toMatchObject({ status: 200, body: { active: true } });
    expect(await introspect(stack, ['bystander', 'hunter2'], token)).toMatchObject({ status: 200 });
    const responses = await guesses;
    const refused = responses.filter(({ status }) => status === 401);
    const throttled = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(throttled.length).toBeGreaterThan(0);
    expect(refused.length + throttled.length).toBe(20);
    for (const { headers } of throttled) expect(headers.get('retry-after')).toBe('2');
    for (const response of throttled)
      expect(await response.json()).toMatchObject({ error: expect.any(String) });
  }
  expect(await atTokenEndpoint('guessed', 'hunter2')).toMatchObject({ status: 200 });
});

it('deletes a hash on rotation, after which its secret is refused', async () => {
  await stack.text(await importing('oidc-provider', [resourceServer('rotated', { client_secret_hash: GO })]));
  const { client_secret: secret } = await stack.json(['clients', 'rotate-secret', 'rotated']);
  const token = await tokenFor(stack, { client_id: 'rotated', aud: ['rotated'] });
  expect(await introspect(stack, ['rotated', 'hunter2'], token)).toMatchObject({ status: 401 });
  expect(await introspect(stack, ['rotated', secret], token)).toMatchObject({ status: 200 });
});
