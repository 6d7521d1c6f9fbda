import { DATA_KEY_SETTLE_MS } from '@vestibule/crypto/data-keys';
import { keyIdentifier, keyRecord, listKeys } from '@vestibule/crypto/key-rings';
import { describe, expect, it } from 'vitest';
import { buildTestConsole } from '../../support/build-test-console.js';
import { formOf, shownPage } from '../../support/shown-page.js';
import { storedEvents } from '../../support/stored-events.js';

type Console = Awaited<ReturnType<typeof buildTestConsole>>;

const recordsOf = async ({ store }: Console) => (await listKeys(store.database, store.clock)).map(keyRecord);

/** Creates a key in the console, and returns its identifier. */
async function created(built: Console, ring: string, algorithm = 'ES256'): Promise<string> {
  const before = new Set((await recordsOf(built)).map(({ id }) => id));
  const response = await built.post('/keys/new', { ring, algorithm, confirmation: ring });
  expect(response).toMatchObject({ status: 303, headers: { location: '/keys?done=created' } });
  return (await recordsOf(built)).find(({ id }) => !before.has(id))?.id ?? '';
}

describe('the list of keys', () => {
  it('shows every ring with age, state and next step, and nothing private', async () => {
    const built = await buildTestConsole();
    const response = await built.get('/keys');
    const { text, links } = shownPage(response);
    expect(text).toMatch(/Ring provider .*ES256 active .*0 minutes In use until another key/);
    expect(text).toMatch(/Ring federation .*There are no keys/);
    expect(text).toMatch(/Ring seal .*active .*Ring digest .*active/);
    expect(Object.keys(links)).not.toContain('Create a key');
    const keys = await listKeys(built.store.database, built.store.clock);
    for (const listed of keys) {
      const page = await built.get(links[keyIdentifier(listed)] ?? '');
      expect(page.status).toBe(200);
      const secret = listed.kind === 'data' ? listed.key.wrapped : listed.key.privateJwkEncrypted;
      for (const { text: html } of [response, page]) expect(html).not.toContain(secret);
      expect(page.text).not.toMatch(/&quot;d&quot;/);
    }
  });

  it('has no page for other identifiers', async () => {
    const { get } = await buildTestConsole();
    expect((await get('/keys/none')).status).toBe(404);
    expect((await get('/keys/none/activate', 'admin')).status).toBe(404);
    expect((await get('/keys/new?ring=none', 'admin')).status).toBe(404);
  });
});

describe('creating a key', () => {
  it('makes it pending, says when it can be activated, and is recorded', async () => {
    const built = await buildTestConsole();
    const id = await created(built, 'provider');
    const { text } = shownPage(await built.get(`/keys/${id}`));
    expect(text).toMatch(/State pending .*Next It can be activated from \d{4}-/);
    expect((await storedEvents(built)).at(-1)).toMatchObject({
      actor: 'operator:a-admin',
      target: `signing_key:${id}`,
    });
  });

  it('requires an algorithm of the ring, and the name of the ring typed', async () => {
    const built = await buildTestConsole();
    const before = await recordsOf(built);
    for (const [form, error] of [
      [{ ring: 'encryption', algorithm: 'ES256', confirmation: 'encryption' }, 'algorithm-error'],
      [{ ring: 'provider', confirmation: 'provider' }, 'algorithm-error'],
      [{ ring: 'seal', confirmation: 'digest' }, 'confirmation-error'],
    ] as const) {
      const response = await built.post('/keys/new', form);
      expect(response.status).toBe(400);
      expect(response.text).toContain(`id="${error}"`);
    }
    expect(await recordsOf(built)).toEqual(before);
  });
});

describe('changing a key', () => {
  it('activates it at once after a compromise, and retires the one before', async () => {
    const built = await buildTestConsole();
    const [active] = await recordsOf(built);
    const id = await created(built, 'provider');
    const path = `/keys/${id}/activate`;
    const form = formOf(await built.get(path, 'admin'), path);
    expect(form?.fields).toMatchObject({ seen: 'pending', published_days: '30', when: 'safe' });
    const typed = { ...form?.fields, confirmation: id.slice(0, 8) };
    const early = await built.post(path, typed);
    expect(early.status).toBe(409);
    expect(shownPage(early).alerts).toEqual([expect.stringMatching(/the key is too new/)]);
    expect(await built.post(path, { ...typed, when: 'at-once' })).toMatchObject({
      status: 303,
      headers: { location: '/keys?done=activated' },
    });
    const states = Object.fromEntries((await recordsOf(built)).map((key) => [key.id, key.state]));
    expect(states).toMatchObject({ [id]: 'active', [active?.id ?? '']: 'retired' });
    expect(shownPage(await built.get(`/keys/${active?.id}`)).text).toMatch(/Next No longer published from/);
    expect((await storedEvents(built)).map(({ actor }) => actor)).toContain('operator:a-admin');
  });

  it('shows the second of two persons what has changed', async () => {
    const built = await buildTestConsole();
    const id = await created(built, 'provider');
    const typed = { seen: 'pending', confirmation: id.slice(0, 8), when: 'at-once' };
    expect((await built.post(`/keys/${id}/activate`, typed)).status).toBe(303);
    const second = await built.post(`/keys/${id}/activate`, typed);
    expect(second.status).toBe(409);
    expect(shownPage(second).alerts).toEqual(['The key is active by now. Nothing was changed.']);
  });

  it('retires a pending key, and not the only active one', async () => {
    const built = await buildTestConsole();
    const [active] = await recordsOf(built);
    const id = await created(built, 'provider');
    const retired = await built.post(`/keys/${id}/retire`, { seen: 'pending', confirmation: id.slice(0, 8) });
    expect(retired.headers['location']).toBe('/keys?done=retired');
    const activeId = active?.id ?? '';
    const refused = await built.post(`/keys/${activeId}/retire`, {
      seen: 'active',
      confirmation: activeId.slice(0, 8),
    });
    expect(refused.status).toBe(409);
    expect(shownPage(refused).alerts).toEqual([expect.stringMatching(/only active key/)]);
  });

  it('does not activate a data key before every process has it', async () => {
    const built = await buildTestConsole();
    const id = await created(built, 'seal');
    expect(shownPage(await built.get(`/keys/${id}`)).text).toMatch(/It can be activated from/);
    const refused = await built.post(`/keys/${id}/activate`, {
      seen: 'pending',
      confirmation: id.slice(0, 8),
    });
    expect(refused.status).toBe(409);
    expect(shownPage(refused).alerts).toEqual([expect.stringMatching(/too new/)]);
    expect(DATA_KEY_SETTLE_MS).toBe(60_000);
  });

  it('says what is wrong with a field, and keeps what was typed', async () => {
    const built = await buildTestConsole();
    const id = await created(built, 'provider');
    const typed = { seen: 'pending', confirmation: id.slice(0, 8), published_days: '-1', when: 'soon' };
    const response = await built.post(`/keys/${id}/activate`, typed);
    expect(response.status).toBe(400);
    expect(shownPage(response).alerts).toHaveLength(2);
    expect(formOf(response, `/keys/${id}/activate`)?.fields['published_days']).toBe('-1');
  });

  it('is for admins', async () => {
    const built = await buildTestConsole();
    const id = await created(built, 'provider');
    for (const role of ['viewer', 'operator'] as const) {
      const { links } = shownPage(await built.get(`/keys/${id}`, role));
      expect(Object.keys(links)).not.toContain('Activate the key');
      for (const path of [`/keys/${id}/activate`, `/keys/${id}/retire`, '/keys/new']) {
        expect((await built.get(`${path}?ring=seal`, role)).status).toBe(403);
        expect(
          (await built.post(path, { ring: 'seal', seen: 'pending', confirmation: 'x' }, role)).status,
        ).toBe(403);
      }
    }
    expect((await recordsOf(built)).find((key) => key.id === id)?.state).toBe('pending');
  });
});
