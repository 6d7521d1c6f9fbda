import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import type { Client } from '../client.js';
import { MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { readClient } from './read-client.js';
import { updateClient } from './update-client.js';

const [FIRST, SECOND] = ['https://app.example.org/cb', 'https://app.example.org/other'];
const SECTOR = 'https://app.example.org/sector';

/** A client that is changed between the read and the write of a patch. */
async function interrupted(body: JsonObject, interruption: (client: Client) => Client) {
  const fixture = await registrationFixture();
  const read: string[] = [];
  const document = [FIRST];
  const sectorIdentifiers = {
    read: async (uri: string) => {
      read.push(uri);
      return document;
    },
  };
  Object.assign(fixture.deps, { sectorIdentifiers });
  const { information } = await fixture.register({ redirect_uris: [FIRST], ...body }, MASTER);
  const id = information.client_id;
  read.length = 0;
  let isFirst = true;
  const { replace } = fixture.deps.clients;
  const clients: typeof fixture.deps.clients = {
    ...fixture.deps.clients,
    replace: async (replacement) => {
      if (isFirst) {
        isFirst = false;
        await fixture.change(id, interruption);
      }
      return replace(replacement);
    },
  };
  const patch = (changes: JsonObject, ifMatch?: readonly string[]) =>
    updateClient({ ...fixture.deps, clients }, { id, token: MASTER, body: changes, isPatch: true, ifMatch });
  return { ...fixture, id, read, document, patch };
}

describe('a patch of a client that is changed in the meantime', () => {
  it('is applied to the changed client (RFC 5789 section 2)', async () => {
    const { find, id, patch } = await interrupted({ data: { a: 1, gone: 1 } }, (client) => ({
      ...client,
      data: { a: 2, b: 1, gone: 1 },
    }));
    const { version } = await patch({ client_name: 'New', data: { c: 1, gone: null } });
    expect(version).toBe(3);
    expect(await find(id)).toMatchObject({
      metadata: { client_name: 'New', redirect_uris: [FIRST] },
      data: { a: 2, b: 1, c: 1 },
    });
    expect((await find(id))?.data).not.toHaveProperty('gone');
  });

  it('is refused if its condition names the version that it has read', async () => {
    const { deps, find, id, patch } = await interrupted({}, (client) => ({ ...client, data: { a: 1 } }));
    const { entityTag } = await readClient(deps, { id, token: MASTER });
    await expect(patch({ client_name: 'New' }, [entityTag])).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    expect(await find(id)).toMatchObject({ version: 2, data: { a: 1 } });
  });

  const inSector = { sector_identifier_uri: SECTOR, subject_type: 'pairwise' };
  const addRedirect = (client: Client): Client => ({
    ...client,
    metadata: { ...client.metadata, redirect_uris: [FIRST, SECOND] },
  });

  it('reads the sector document again for redirect URIs that it has not confirmed', async () => {
    const { find, id, patch, read, document } = await interrupted(inSector, addRedirect);
    await expect(patch({ client_name: 'New' })).rejects.toMatchObject({ code: 'invalid_client_metadata' });
    expect(read).toEqual([SECTOR, SECTOR]);
    expect(await find(id)).toMatchObject({ version: 2 });
    document.push(SECOND);
    await expect(patch({ client_name: 'New' })).resolves.toMatchObject({ version: 3 });
  });

  it('reads the sector document once for the same redirect URIs', async () => {
    const rename = (client: Client): Client => ({
      ...client,
      metadata: { ...client.metadata, client_name: 'Other' },
    });
    const { patch, read } = await interrupted(inSector, rename);
    await expect(patch({ contacts: ['a@app.example.org'] })).resolves.toMatchObject({ version: 3 });
    expect(read).toEqual([SECTOR]);
  });
});

it('refuses a patch that is not an object and would replace the whole registration', async () => {
  const { find, id, patch } = await interrupted({}, (client) => client);
  for (const body of [null, [], 'text', 1] as unknown as JsonObject[])
    await expect(patch(body), JSON.stringify(body)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await find(id)).toMatchObject({ version: 1 });
});

it('identifies a translated member by its tag, whatever its case (RFC 5646 section 2.1.1)', async () => {
  const { deps, find, register } = await registrationFixture();
  const named = { redirect_uris: [FIRST], client_name: 'Shop', 'client_name#de': 'Laden' };
  const { information } = await register(named, MASTER);
  const id = information.client_id;
  const patch = async (body: JsonObject) => {
    await updateClient(deps, { id, token: MASTER, body, isPatch: true });
    const names = Object.entries((await find(id))?.metadata ?? {});
    return Object.fromEntries(names.filter(([name]) => name.startsWith('client_name')));
  };
  const plain = { client_name: 'Shop' };
  expect(await patch({ 'client_name#DE': 'Geschäft' })).toEqual({ ...plain, 'client_name#DE': 'Geschäft' });
  await expect(patch({ 'client_name#de': 'A', 'client_name#DE': 'B' })).rejects.toMatchObject({
    code: 'invalid_client_metadata',
  });
  expect(await patch({ 'client_name#De': null })).toEqual(plain);
});

it('keeps a registered value that a list of supported values contains, and has the server choose another one else', async () => {
  const { deps, register } = await registrationFixture();
  const { information } = await register(
    { redirect_uris: [FIRST], token_endpoint_auth_method: 'none' },
    MASTER,
  );
  const methodAfter = async (...methods: readonly string[]) => {
    const body = { token_endpoint_auth_methods_supported: [...methods] };
    const { information: patched } = await updateClient(deps, {
      id: information.client_id,
      token: MASTER,
      body,
      isPatch: true,
    });
    expect(patched).not.toHaveProperty('token_endpoint_auth_methods_supported');
    return patched['token_endpoint_auth_method'];
  };
  expect(await methodAfter('client_secret_basic', 'none')).toBe('none');
  expect(await methodAfter('client_secret_post')).toBe('client_secret_post');
});
