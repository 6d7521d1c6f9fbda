import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { pathOf, registered, send } from '../support/calls.js';
import { documentServer } from '../support/document-server.js';

/** Counts connections to a loopback address. */
async function sink() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, connections: () => connections };
}

/** The members of metadata that contain a URL, each in a form that is registered. */
const MEMBERS: Readonly<Record<string, (url: string) => object>> = {
  jwks_uri: (url) => ({ jwks_uri: url, token_endpoint_auth_method: 'private_key_jwt' }),
  sector_identifier_uri: (url) => ({ sector_identifier_uri: url, subject_type: 'pairwise' }),
  request_uris: (url) => ({ request_uris: [url] }),
  redirect_uris: (url) => ({ redirect_uris: [url] }),
  post_logout_redirect_uris: (url) => ({ post_logout_redirect_uris: [url] }),
  software_statement: (url) => ({ software_statement: statementOf(url) }),
  ...Object.fromEntries(
    [
      'logo_uri',
      'logo_uri#de',
      'policy_uri',
      'tos_uri',
      'client_uri',
      'initiate_login_uri',
      'backchannel_logout_uri',
      'frontchannel_logout_uri',
    ].map((name) => [name, (url: string) => ({ [name]: url })]),
  ),
};

function statementOf(issuer: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', jku: issuer, x5u: issuer })}.${part({ iss: issuer })}.c2ln`;
}

/** Spellings of addresses that external clients must not make us request, most of them of one port of this machine. */
function targets(port: number): readonly string[] {
  const hosts =
    `127.0.0.1 2130706433 0x7f.1 0177.0.0.1 127.1 %31%32%37.0.0.1 127.0.0.1. 0 0.0.0.0 localhost localhost.
    a.localhost LOCALHOST [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::]
    [fd00::1] [fe80::1] 169.254.169.254 10.0.0.1 192.168.0.1 172.16.0.1 user@127.0.0.1 a.example@127.0.0.1 redis
    db.internal metadata.google.internal`.split(/\s+/);
  return [
    ...hosts.map((host) => `https://${host}:${port}/x`),
    `http://127.0.0.1:${port}/x`,
    `http://localhost:${port}/x`,
    `https://a.example\\@127.0.0.1:${port}/x`,
    `https://127.0.0.1:${port}#@a.example/`,
    `gopher://127.0.0.1:${port}/x`,
    `ftp://127.0.0.1:${port}/x`,
    `ws://127.0.0.1:${port}/x`,
    `//127.0.0.1:${port}/x`,
    'file:///etc/passwd',
    'data:application/json,[]',
    'blob:https://a.example/1',
    'https://127.0.0.1:22/x',
    'https://127.0.0.1:6379/x',
    'javascript:fetch(1)',
  ];
}

// The registering client chooses these addresses, and a request to one of them would come from the internal network.
it('requests no internal address at registration and update, whatever member contains it', async () => {
  const { app } = await buildTestApp();
  const { port, connections } = await sink();
  const { client_id: id } = await registered(app);
  const redirect = { redirect_uris: ['https://app.example/cb'] };
  let count = 0;
  for (const [name, withAddress] of Object.entries(MEMBERS))
    for (const url of targets(port)) {
      const body = { ...redirect, ...withAddress(url) };
      for (const [operation, more] of [
        ['POST /clients', {}],
        [`PUT ${pathOf(id)}`, { client_id: id }],
      ] as const) {
        const { status } = await send(app, operation, { token: MASTER, body: { ...body, ...more } });
        expect([200, 400], `${name} ${url}`).toContain(status);
        if (name === 'sector_identifier_uri') expect(status, url).toBe(400);
        count += 1;
      }
    }
  expect(count).toBe(Object.keys(MEMBERS).length * targets(port).length * 2);
  expect(connections()).toBe(0);
});

it('follows no redirect, neither to internal addresses nor from them', async () => {
  const outside = await documentServer();
  const { port, connections } = await sink();
  const { app, all } = await buildTestApp({ EGRESS_ALLOW_HOSTS: outside.host });
  for (const status of [301, 302, 303, 307, 308]) {
    outside.redirects.set('/sector', { status, location: `http://127.0.0.1:${port}/x` });
    const body = {
      redirect_uris: ['https://app.example/cb'],
      subject_type: 'pairwise',
      sector_identifier_uri: outside.url('/sector'),
    };
    expect((await send(app, 'POST /clients', { token: MASTER, body })).status).toBe(400);
  }
  expect(outside.requested).toHaveLength(5);
  expect(connections()).toBe(0);
  expect(await all()).toEqual([]);
});
