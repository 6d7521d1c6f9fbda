import { readFile } from 'node:fs/promises';
import { readmeTable, tableRows } from '@vestibule/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTED_CLIENTS } from './known-clients/hosted-clients.js';
import { DEVELOPER_CLIENTS, INSTALLED_CLIENTS } from './known-clients/installed-clients.js';
import type { KnownClient } from './known-clients/known-client.js';
import { type KnownClientResult, runKnownClient } from './known-clients/run-known-client.js';
import { worksWithTable } from './known-clients/works-with-table.js';
import { type Standalone, startStandalone, temporaryFolder } from './support/standalone-process.js';

const GUIDE = new URL('../../../packages/guides/works-with-mcp.md', import.meta.url);

const CLIENTS = [...HOSTED_CLIENTS, ...INSTALLED_CLIENTS, ...DEVELOPER_CLIENTS];

/** What the guide tells operators to set, on a server that is not for development. */
const SETTINGS = {
  ALLOW_OPEN_REGISTRATION: 'true',
  OPEN_REGISTRATION_EXCESS: 'omit',
  ALLOW_LOOPBACK_REDIRECT_URIS: 'false',
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stack: Standalone;
const results = new Map<KnownClient, KnownClientResult>();

beforeAll(async () => {
  folder = await temporaryFolder();
  stack = await startStandalone(folder.path, SETTINGS);
});

afterAll(async () => {
  await stack.stop();
  await folder.remove();
});

describe('a client that registers itself as it does elsewhere', () => {
  it.concurrent.each(CLIENTS.map((client) => [client.name, client] as const))(
    'logs in and refreshes with every kind of redirect URI: %s',
    async (_name, client) => {
      const result = await runKnownClient(stack.baseUrl, client);
      const { redirect_uris: uris, grant_types: grantTypes } = result.registered;
      expect(uris).toEqual(client.registration['redirect_uris']);
      const mayRefresh = Array.isArray(grantTypes) && grantTypes.includes('refresh_token');
      expect(result.logins).toEqual(
        client.redirectUris.map((redirectUri) => ({
          redirectUri,
          subject: 'alice',
          ...(mayRefresh && { refreshedSubject: 'alice' }),
        })),
      );
      results.set(client, result);
    },
  );
});

describe('the guide', () => {
  it('lists every client with what it got', async () => {
    expect(results.size).toBe(CLIENTS.length);
    const text = await readFile(GUIDE, 'utf8');
    expect(readmeTable(text, 'known clients')).toEqual(tableRows(worksWithTable(results)));
  });
});
