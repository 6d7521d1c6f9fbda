import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstallation } from '../support/installation.js';

type Installation = Awaited<ReturnType<typeof startInstallation>>;

let installation: Installation;
let content: object = {};
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content));
});
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  url = `http://${host}/client.json`;
  installation = await startInstallation({ CLIENT_ID_METADATA_DOCUMENTS: host, EGRESS_ALLOW_HOSTS: host });
});
afterAll(async () => {
  await installation.close();
  await new Promise((resolve) => server.close(resolve));
});

it('shows what a document would register, and changes nothing', async () => {
  content = {
    client_id: url,
    client_name: 'An \u202eapp',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/cb'],
    scope: 'openid admin',
  };
  const refused = await installation.type(['clients', 'explain', url]);
  expect(refused.stdout).toMatch(/is refused \(metadata\): client_name/);
  content = { ...content, client_name: 'An app' };
  const { stdout, code } = await installation.type(['clients', 'explain', url]);
  expect(stdout).toContain(`${url} is accepted.`);
  expect(stdout).toContain('  client_name: An app');
  expect(stdout).not.toContain('admin');
  expect(code).toBe(0);
  expect(await installation.events()).toEqual([]);
});

it('shows why a document is refused, and what the client is told', async () => {
  content = { client_id: `${url}/` };
  const { stdout, code } = await installation.type(['clients', 'explain', url]);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /is refused \(content\): client_id: must be exactly the URL of the document\nClients are told: /,
  );
  const json = JSON.parse((await installation.type(['clients', 'explain', url, '--json'])).stdout);
  expect(json).toMatchObject({ url, accepted: false, refusal: { reason: 'content' } });
});

it.each([
  ['https://127.0.0.1/client.json', 'host'],
  ['https://app.example', 'url'],
  ['client', 'url'],
])('explains the identifier %s without fetching anything', async (id, reason) => {
  const { stdout } = await installation.type(['clients', 'explain', id]);
  expect(stdout).toContain(`is refused (${reason})`);
});
