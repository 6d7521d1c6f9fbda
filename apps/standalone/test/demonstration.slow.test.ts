import { closers } from '@vestibule/local-services';
import { afterAll, expect, it } from 'vitest';
import { loadStandaloneConfig } from '../src/config.js';
import { send } from './support/api.js';
import { startStandalone, temporaryFolder } from './support/standalone-process.js';

const toEnd = closers();

afterAll(() => toEnd.closeAll());

async function aFolder(): Promise<string> {
  const { path, remove } = await temporaryFolder();
  toEnd.add(remove);
  return path;
}

it.each([
  ['127.0.0.1', undefined, ['alice', 'bob']],
  [undefined, undefined, ['alice', 'bob']],
  ['0.0.0.0', undefined, []],
  ['0.0.0.0', 'http://localhost:8080', []],
  ['127.0.0.1', 'https://as.example', []],
])('with HOST=%s and BASE_URL=%s accepts demonstration logins of %j', async (HOST, BASE_URL, names) => {
  const settings = {
    DATA_DIR: await aFolder(),
    ...(HOST !== undefined && { HOST }),
    ...(BASE_URL !== undefined && { BASE_URL }),
  };
  expect([...loadStandaloneConfig(settings).authorization.DEMO_USERS.keys()]).toEqual(names);
  const people = { ...settings, DEMO_USERS: 'carol:x' };
  if (names.length > 0) expect(loadStandaloneConfig(people).authorization.DEMO_USERS.size).toBe(1);
  else expect(() => loadStandaloneConfig(people)).toThrow(/DEMO_USERS/);
});

it('accepts no login with the well-known passwords if the network can reach it', async () => {
  const stack = await startStandalone(await aFolder(), { HOST: '0.0.0.0' });
  toEnd.add(async () => void (await stack.stop()));
  const redirectUri = 'https://app.example/cb';
  const { text } = await send(`${stack.baseUrl}/clients`, 'POST', stack.masterToken, {
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
  });
  const query = new URLSearchParams({
    client_id: JSON.parse(text).client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  const started = await fetch(`${stack.baseUrl}/authorize?${query}`, { redirect: 'manual' });
  const cookie = started.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const page = new URL(started.headers.get('location') ?? '', stack.baseUrl);
  const signIn = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ decision: 'login', username: 'alice', password: 'alice' }),
  });
  expect(signIn.status).toBe(400);
  expect(signIn.headers.get('location')).toBeNull();
});
