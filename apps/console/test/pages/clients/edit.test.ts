import { operatorActor } from '@vestibule/clients';
import { changeClient } from '@vestibule/clients/management';
import { operatorAuthority, registerClient } from '@vestibule/clients/registration';
import type { JsonObject } from '@vestibule/protocol/json';
import type { Environment } from '@vestibule/service/settings';
import { aClient, aClientId, startJwksServer } from '@vestibule/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildTestConsole } from '../../support/build-test-console.js';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.js';
import { readText, sentForm } from '../../support/shown-page.js';
import { storedEvents } from '../../support/stored-events.js';

const SHOP = {
  client_name: 'Shop',
  'client_name#de': 'Laden',
  redirect_uris: ['https://shop.example/cb', 'https://shop.example/cb2'],
  contacts: ['ops@shop.example'],
  data: { tier: 'gold' },
};

async function consoleWithShop(body: JsonObject = SHOP, settings: Environment = {}) {
  const testConsole = await buildTestConsole(settings);
  const { information } = await registerClient(testConsole.deps.registration, {
    authority: operatorAuthority(operatorActor('setup')),
    body,
  });
  const id = aClientId(information.client_id);
  const path = `/clients/${id}/edit`;
  return {
    ...testConsole,
    id,
    path,
    information,
    /** The form as a browser sends it. */
    opened: async () => sentForm((await testConsole.get(path, 'operator')).text, path),
    stored: async () => testConsole.store.database.clients.find(id),
    send: (form: Readonly<Record<string, string>>) => testConsole.post(path, form, 'operator'),
    events: () => storedEvents(testConsole, `client:${id}`),
  };
}

describe('the form of a client', () => {
  it('changes nothing when it is saved as it was opened', async () => {
    const { opened, send, stored } = await consoleWithShop();
    const before = await stored();
    expect((await send(await opened())).status).toBe(303);
    const after = await stored();
    expect(after?.metadata).toEqual(before?.metadata);
    expect(after?.data).toEqual(before?.data);
    expect(after?.secret).toEqual(before?.secret);
    expect(after?.registrationToken).toEqual(before?.registrationToken);
  });

  it('shows in a dry run what would change, and changes nothing', async () => {
    const { opened, send, stored } = await consoleWithShop();
    const form = { ...(await opened()), client_name: 'Store', contacts: '' };
    const { status, text } = await send({ ...form, step: 'check' });
    expect(status).toBe(200);
    expect(readText(text)).toMatch(/client_name ?Shop ?Store/);
    expect(readText(text)).toMatch(/contacts ?\["ops@shop.example"\] ?none/);
    expect((await stored())?.version).toBe(1);
  });

  it('saves fields and JSON under the name of the operator', async () => {
    const { opened, send, stored, events, get, id } = await consoleWithShop();
    const form = await opened();
    const rest = { ...JSON.parse(form['rest'] ?? ''), software_id: 'shop-1', data: { tier: 'silver' } };
    const response = await send({
      ...form,
      client_name: 'Store',
      redirect_uris: ' https://store.example/cb \r\n\r\n',
      rest: JSON.stringify(rest),
    });
    expect(response.status).toBe(303);
    expect(readText((await get(String(response.headers['location']))).text)).toContain(
      'The metadata were saved.',
    );
    expect(await stored()).toMatchObject({
      version: 2,
      metadata: {
        client_name: 'Store',
        'client_name#de': 'Laden',
        redirect_uris: ['https://store.example/cb'],
        software_id: 'shop-1',
      },
      data: { tier: 'silver' },
    });
    expect((await events()).at(-1)).toMatchObject({
      action: 'client.updated',
      actor: 'operator:a-operator',
      details: { changes: { client_name: { before: 'Shop', after: 'Store' }, data: {} } },
      target: `client:${id}`,
    });
  });

  it('shows a secret that the change requires, once', async () => {
    const { opened, send, stored, store, get, id } = await consoleWithShop({
      redirect_uris: ['https://shop.example/cb'],
      token_endpoint_auth_method: 'none',
    });
    const { status, text } = await send({
      ...(await opened()),
      token_endpoint_auth_method: 'client_secret_basic',
    });
    expect(status).toBe(200);
    const digest = (await stored())?.secret?.digest;
    const shown = [...text.matchAll(/<code>([^<]+)<\/code>/g)].map(([, value]) => value ?? '');
    const secret = shown.find((value) =>
      store.digester.matches('client-secret', value, ...(digest ? [digest] : [])),
    );
    expect(secret).toBeDefined();
    expect((await get(`/clients/${id}`)).text).not.toContain(secret);
  });

  it.each([
    ['token_endpoint_auth_method', 'none', 'needs no secret', 303],
    ['rest', '{"id_token_signed_response_alg": "HS512"}', 'needs another secret', 200],
  ])(
    'ends the secret only after that was confirmed by typing: %s %s',
    async (field, value, reason, status) => {
      const { opened, send, stored, path, id, events } = await consoleWithShop({
        redirect_uris: ['https://shop.example/cb'],
      });
      const before = await stored();
      const form = { ...(await opened()), client_name: 'Store', [field]: value };
      const checked = await send({ ...form, step: 'check' });
      expect(checked.status).toBe(200);
      expect(readText(checked.text)).toContain(
        'Saving ends the current secret. You confirm this on the next page.',
      );
      const asked = await send(form);
      expect(asked.status).toBe(200);
      expect(readText(asked.text)).toContain(reason);
      expect(readText(asked.text)).toMatch(/client_name ?none ?Store/);
      const confirming = sentForm(asked.text, path);
      for (const confirmation of ['', 'shop', `${id} `]) {
        const differs = await send({ ...confirming, confirmation });
        expect(differs.status).toBe(400);
        expect(differs.text).toContain('id="confirmation-error"');
        expect(sentForm(differs.text, path)).toEqual(confirming);
      }
      // Without the step of the page that asks, nothing is confirmed.
      expect((await send({ ...form, confirmation: id })).status).toBe(200);
      expect(await stored()).toEqual(before);
      expect(await events()).toHaveLength(1);
      const saved = await send({ ...confirming, confirmation: id });
      expect(saved.status).toBe(status);
      const after = await stored();
      expect(after?.metadata).toMatchObject({ client_name: 'Store' });
      expect(after?.secret?.encrypted).not.toBe(before?.secret?.encrypted);
      expect(after?.secret === undefined).toBe(value === 'none');
    },
  );

  it.each([
    ['the secret stays', { client_name: 'Store' }, 'save', 303],
    ['the secret ends', { token_endpoint_auth_method: 'none' }, 'confirm', 303],
  ] as const)('reads the sector document once to save, if %s', async (_case, changes, step, status) => {
    const redirects = ['https://shop.example/cb', 'https://other.example/cb'];
    const server = await startJwksServer();
    onTestFinished(server.close);
    server.respond((_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(redirects)),
    );
    const { host, href } = new URL('/sector', server.url);
    const { opened, send, stored, id } = await consoleWithShop(
      { redirect_uris: redirects, subject_type: 'pairwise', sector_identifier_uri: href },
      { EGRESS_ALLOW_HOSTS: host },
    );
    const form = { ...(await opened()), ...changes, step, confirmation: id };
    const before = server.requests();
    expect((await send(form)).status).toBe(status);
    expect(server.requests() - before).toBe(1);
    expect((await stored())?.metadata).toMatchObject(changes);
    // What was read counts for that request alone.
    server.respond((_request, response) => response.setHeader('content-type', 'application/json').end('[]'));
    const { status: refused, text } = await send({ ...(await opened()), client_name: 'Other' });
    expect([refused, text.includes('sector_identifier_uri')]).toEqual([400, true]);
  });

  it('asks for no confirmation if the secret stays, or if there is none', async () => {
    for (const body of [{}, { token_endpoint_auth_method: 'none' }]) {
      const { opened, send } = await consoleWithShop({ ...body, redirect_uris: ['https://shop.example/cb'] });
      expect((await send({ ...(await opened()), client_name: 'Store' })).status).toBe(303);
    }
  });

  it('shows to the second of two operators the change of the first before it asks to end the secret', async () => {
    const { opened, send, stored, deps, path, id } = await consoleWithShop();
    const asked = await send({ ...(await opened()), token_endpoint_auth_method: 'none' });
    await changeClient(deps.registration, {
      id,
      operator: operatorActor('first'),
      change: ({ metadata }) => ({ ...metadata, client_uri: 'https://shop.example/theirs' }),
    });
    const conflict = await send({ ...sentForm(asked.text, path), confirmation: id });
    expect(conflict.status).toBe(409);
    expect((await stored())?.secret).toBeDefined();
  });

  it('shows what is wrong beside the field, and keeps what was typed', async () => {
    const { opened, send, stored, path } = await consoleWithShop();
    const form = await opened();
    const wrong: readonly (readonly [field: string, value: string])[] = [
      ['redirect_uris', 'https://shop.example/cb\nnot a uri'],
      ['redirect_uris', 'https://shop.example/cb#fragment'],
      ['grant_types', 'flying_carpet'],
      ['client_uri', 'javascript:alert(1)'],
      ['client_name', 'Shop\u202egnp.exe'],
      ['backchannel_logout_uri', 'ftp://shop.example'],
      ['scope', 'a "quoted" scope'],
      ['rest', '{"jwks": 1}'],
      ['rest', '{"client_name#de": 1}'],
      ['rest', '[1]'],
      ['rest', '{"a": '],
      ['rest', '{"__proto__": {}}'],
      ['rest', '{"client_name": "twice"}'],
    ];
    for (const [field, value] of wrong) {
      for (const step of ['check', 'save']) {
        const { status, text } = await send({ ...form, [field]: value, step });
        expect(status, value).toBe(400);
        expect(text, value).toContain(`id="${field}-error"`);
        expect(sentForm(text, path)[field], value).toBe(value);
      }
    }
    expect((await stored())?.version).toBe(1);
  });

  it('shows to the second of two operators the change of the first, and lets the second choose', async () => {
    const { opened, send, stored, deps, path, id } = await consoleWithShop();
    const form = { ...(await opened()), client_name: 'Mine' };
    await changeClient(deps.registration, {
      id,
      operator: operatorActor('first'),
      change: ({ metadata, data }) => ({
        ...metadata,
        data: data ?? {},
        client_uri: 'https://shop.example/theirs',
      }),
    });
    for (const step of ['check', 'save']) {
      const conflict = await send({ ...form, step });
      expect(conflict.status).toBe(409);
      const page = readText(conflict.text);
      expect(page).toMatch(/Their change.*client_uri ?none ?https:\/\/shop.example\/theirs.*Your change/);
      expect(page).toMatch(/Your change.*client_name ?Shop ?Mine.*Choose/);
    }
    const { text } = await send(form);
    // The first form of the page merges, the second replaces.
    const merging = await send(sentForm(text, path));
    expect(merging.status).toBe(200);
    expect(readText(merging.text)).toMatch(/What saving would change.*client_name ?Shop ?Mine/);
    expect((await send(sentForm(merging.text, path))).status).toBe(303);
    expect((await stored())?.metadata).toMatchObject({
      client_name: 'Mine',
      client_uri: 'https://shop.example/theirs',
    });
  });

  it('replaces the change of the first operator if the second chooses so', async () => {
    const { opened, send, stored, deps, path, id } = await consoleWithShop();
    const form = { ...(await opened()), client_name: 'Mine' };
    await changeClient(deps.registration, {
      id,
      operator: operatorActor('first'),
      change: ({ metadata }) => ({ ...metadata, client_uri: 'https://shop.example/theirs' }),
    });
    // Without what the form was opened with, it cannot be merged.
    const unopened = { ...form, opened: '' };
    const { status, text } = await send(unopened);
    expect(status).toBe(409);
    expect(text).not.toContain('Keep their change and add mine');
    const replacing = await send(sentForm(text, path));
    expect(readText(replacing.text)).toMatch(/client_uri ?https:\/\/shop.example\/theirs ?none/);
    expect((await send(sentForm(replacing.text, path))).status).toBe(303);
    expect((await stored())?.metadata).toMatchObject({ client_name: 'Mine' });
    expect((await stored())?.metadata).not.toHaveProperty('client_uri');
  });

  it('keeps values that a field cannot hold in the JSON, and shows hostile ones as they are', async () => {
    const { store, get } = await buildTestConsole();
    await store.database.clients.create(
      aClient({
        metadata: {
          client_name: 'two\nlines',
          contacts: Object.values(HOSTILE_TEXTS),
          grant_types: ['a\nb'],
        },
      }),
    );
    const { text } = await get('/clients/client/edit', 'operator');
    expect(text).not.toMatch(/<script>|<img|<h1>A/);
    const form = sentForm(text, '/clients/client/edit');
    expect(form['client_name']).toBe('');
    expect(JSON.parse(form['rest'] ?? '')).toMatchObject({
      client_name: 'two\nlines',
      grant_types: ['a\nb'],
    });
  });
});
