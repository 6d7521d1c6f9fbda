import { afterAll, beforeAll, expect, it } from 'vitest';
import { BUILT_PROGRAMS, START_SERVICES } from './walk/built-programs.js';
import { openPageFixture, type PageFixture } from './walk/page-fixture.js';
import type { RunCommand } from './walk/walk-page.js';

const PORTS = ['3000', '3001', '8080', '4001', '4002', '4003'];
const CONNECT = '3. Connect your server';
const WAIT_MS = 60_000;

let page: PageFixture;

beforeAll(async () => {
  page = await openPageFixture('join-over-http.md', PORTS, '8080', { replaced: BUILT_PROGRAMS });
  for (const heading of ['Before', '1. Start the services', '2. Import the clients', CONNECT])
    await page.walk.section(heading);
  await page.walk.section('4. Put the gateway in front');
  await page.walk.background(CONNECT).stop();
}, 300_000);

afterAll(() => page.close());

const start = (environment = '') =>
  page.walk.start(`export MASTER_TOKEN_FILE=$DATA_DIR/master-token; ${environment}\nexec node server.js`);

/** What the server says when it does not start. */
async function refused(command: RunCommand): Promise<string> {
  expect(await command.ended).toBe(1);
  return command.output();
}

/** Restarts the services with other settings, until `use` has ended. */
async function withServices(
  change: (settings: string) => string,
  use: (services: RunCommand) => Promise<void>,
  environment = '',
): Promise<void> {
  await page.walk.background('1. Start the services').stop();
  const settings = page.walk.file('services.env');
  page.walk.write('services.env', change(settings));
  const services = page.walk.start(`set -a; . ./services.env; set +a; ${environment}\n${START_SERVICES}`);
  await expect.poll(services.output, { timeout: WAIT_MS }).toContain('Vestibule is ready');
  try {
    await use(services);
  } finally {
    await services.stop();
    page.walk.write('services.env', settings);
    await page.walk.section('1. Start the services');
  }
}

async function started(): Promise<RunCommand> {
  const server = start();
  await expect.poll(server.output, { timeout: WAIT_MS }).toContain('listens on port');
  return server;
}

it('the master token is another one: names the file, and prints no token', async () => {
  page.walk.write('other-token', 'another-master-token-of-this-installation');
  const output = await refused(start('export MASTER_TOKEN_FILE=other-token'));
  expect(output).toContain(
    `the token in MASTER_TOKEN_FILE is not a master token of ${page.address('8080').replace('localhost', '127.0.0.1')}`,
  );
  expect(output).not.toContain('another-master-token');
});

it('no master token is given: names the setting', async () => {
  const output = await refused(start('unset MASTER_TOKEN_FILE'));
  expect(output).toContain('MASTER_TOKEN_FILE: set it to the file with the master token');
});

it('the services do not run: names their address', async () => {
  const output = await refused(start('export VESTIBULE_ADDRESS=http://127.0.0.1:9'));
  expect(output).toContain('http://127.0.0.1:9 cannot be reached');
});

it('BASE_URL is not the issuer: names the setting and both values', async () => {
  await withServices(
    (settings) => settings.replace(/^BASE_URL=.*$/m, 'BASE_URL=http://localhost:1234'),
    async () => {
      expect(await refused(start())).toContain(
        `BASE_URL of the services is http://localhost:1234: set it to the issuer, ${page.address('3000')}`,
      );
    },
  );
});

it('the gateway does not send a path to the services: the response and the log name the path', async () => {
  const server = await started();
  const gateway = page.walk.background('4. Put the gateway in front');
  await gateway.stop();
  const complete = page.walk.file('nginx.conf');
  page.walk.write('nginx.conf', complete.replace(/.*location \/clients\/ .*\n/, ''));
  const incomplete = page.walk.start(`nginx -p "$PWD" -c nginx.conf -g 'daemon off;'`);
  const problem = '/clients/x reached the authorization server: the gateway must send it to the services';
  const response = async () => (await fetch(`${page.address('3000')}/clients/x`)).text();
  await expect.poll(() => response().catch(() => ''), { timeout: WAIT_MS }).toBe(problem);
  expect(server.output()).toContain(problem);
  await incomplete.stop();
  await server.stop();
  page.walk.write('nginx.conf', complete);
});

it.each([
  ['http://localhost:3001/keys', /status 404.*AUTHORIZATION_SERVER_JWKS/],
  ['http://localhost:3001/jwks/own', /keys\[0\]\.d: private and .*AUTHORIZATION_SERVER_JWKS/],
])(
  'the key set at %s cannot be used: the log of the services names the setting and the reason',
  async (address, reason) => {
    const file = page.walk.file('server.js');
    page.walk.write(
      'server.js',
      file.replace('keys: publicKeys', `keys: [{ ...publicKeys[0], d: 'private' }]`),
    );
    const server = await started();
    await withServices(
      (settings) =>
        settings.replace(
          /^(AUTHORIZATION_SERVER_JWKS)=.*$/m,
          `$1=${address.replace('3001', new URL(page.address('3001')).port)}`,
        ),
      async (services) => {
        await expect.poll(services.output, { timeout: WAIT_MS }).toMatch(reason);
      },
    );
    await server.stop();
    page.walk.write('server.js', file);
  },
);

it('an event is longer than what Express accepts by default: the webhook reads it', async () => {
  const server = await started();
  const response = await fetch(`${page.address('3001')}/changes`, {
    method: 'POST',
    headers: { 'content-type': 'application/secevent+jwt' },
    body: 'x'.repeat(500_000),
  });
  expect([response.status, await response.json()]).toMatchObject([400, { err: 'authentication_failed' }]);
  await server.stop();
});

it('a client was not imported: the response to its tokens names the client', async () => {
  const now = Math.floor(Date.now() / 1000);
  const response = await fetch(`${page.address('8080')}/direct-authz/tokens`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${page.dataFile('master-token')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      tokens: [
        { token: 'a'.repeat(43), kind: 'access', client_id: 'unknown', sub: 'ada', iat: now, exp: now + 60 },
      ],
    }),
  });
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringMatching(/tokens\[0\]\.client_id: .*not a registered client/),
  ]);
});

it('prints no key, token, password or secret', () => {
  const url = new URL(page.dataFile('database-url'));
  const [, pem = ''] = page.read('private-key.pem').split('\n');
  for (const secret of [page.dataFile('encryption-keys'), page.dataFile('master-token'), url.password, pem])
    expect(page.walk.output()).not.toContain(secret);
});
