import { nowSeconds, systemClock } from '@vestibule/protocol';
import { aClient, aClientId, signedBy, TEST_KEYS } from '@vestibule/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstallation } from '../support/installation.js';
import { vestibule } from '../support/vestibule.js';

const { es256, otherEs256 } = TEST_KEYS;

let installation: Awaited<ReturnType<typeof startInstallation>>;
let token: string;

beforeAll(async () => {
  installation = await startInstallation();
  await installation.store.database.clients.create(aClient({ id: aClientId('app') }));
  const iat = nowSeconds(systemClock);
  const iss = installation.environment.BASE_URL;
  token = await signedBy(es256, { iss, sub: 'alice', client_id: 'app', jti: 'j1', iat, exp: iat + 600 });
});
afterAll(() => installation.close());

/** Runs a command with the token as its input and a key set. */
const type = async (args: readonly string[], jwks: string) =>
  vestibule(args, {
    environment: { ...installation.environment, AUTHORIZATION_SERVER_JWKS: jwks },
    input: token,
  });

const keyFile = (name: string, jwk: object) => installation.file(name, JSON.stringify({ keys: [jwk] }));

it('tokens inspect and revoke: a token of the authorization server is found with its keys', async () => {
  const jwks = await keyFile('jwks.json', es256.publicJwk);
  const live = await type(['tokens', 'inspect', '--json'], jwks);
  expect(JSON.parse(live.stdout)).toMatchObject({ active: true, client_id: 'app', sub: 'alice' });
  expect((await type(['tokens', 'revoke'], jwks)).code).toBe(0);
  const dead = await type(['tokens', 'inspect', '--json'], jwks);
  expect(JSON.parse(dead.stdout)).toMatchObject({ active: false, reason: 'revoked' });
});

it('tokens inspect: names the header or claim because of which a JWT is not a token of this issuer', async () => {
  const jwks = await keyFile('other.json', otherEs256.publicJwk);
  const other = await type(['tokens', 'inspect'], jwks);
  expect([other.code, other.stdout]).toEqual([
    1,
    expect.stringMatching(
      /^active +no\nreason +not_ours\ndetail +the key with kid .* nor in AUTHORIZATION_SERVER_JWKS\n$/,
    ),
  ]);
});

it('tokens revoke: says that nothing was revoked, and why, for a JWT that does not verify', async () => {
  const jwks = await keyFile('other.json', otherEs256.publicJwk);
  const text = await type(['tokens', 'revoke'], jwks);
  expect([text.code, text.stdout]).toEqual([
    1,
    expect.stringMatching(/^Nothing was revoked: the key with kid .* nor in AUTHORIZATION_SERVER_JWKS\.\n$/),
  ]);
  const record = await type(['tokens', 'revoke', '--json'], jwks);
  expect(JSON.parse(record.stdout)).toMatchObject({ revoked: false });
});

it('tokens revoke: fails if the keys cannot be read, and names the setting and the reason', async () => {
  const absent = await type(['tokens', 'revoke'], 'http://127.0.0.1:9/jwks');
  expect(absent).toMatchObject({ code: 1, stdout: '' });
  expect(absent.stderr).toContain('AUTHORIZATION_SERVER_JWKS cannot be read: the URL cannot be fetched');
  const secret = await type(['tokens', 'revoke'], await keyFile('private.json', otherEs256.privateJwk));
  expect(secret).toMatchObject({ code: 2, stdout: '' });
  expect(secret.stderr).toContain('keys[0].d');
  expect(secret.stderr).not.toContain(otherEs256.privateJwk.d);
});
