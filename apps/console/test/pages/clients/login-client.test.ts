import type { ClientStatus } from '@vestibule/clients';
import { operatorActor } from '@vestibule/clients';
import { importClient } from '@vestibule/clients/import';
import { changeClientStatus } from '@vestibule/clients/management';
import { aClientId } from '@vestibule/testkit';
import { describe, expect, it } from 'vitest';
import { buildTestConsole, type TestConsole } from '../../support/build-test-console.js';
import { readText, sentForm, shownPage } from '../../support/shown-page.js';
import { storedEvents } from '../../support/stored-events.js';

const ID = 'vestibule-console';
const PATH = `/clients/${ID}`;

const operator = operatorActor('setup');

/** Registers a client with a secret and everything that the login of the console needs. */
const register = ({ deps }: TestConsole, id: string) =>
  importClient(deps.registration, {
    client: {
      kind: 'client',
      id,
      metadata: {
        client_name: 'Console',
        redirect_uris: ['https://console.example/login/callback', 'https://console.example/old'],
        post_logout_redirect_uris: ['https://console.example/logged-out'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        scope: 'openid profile',
        token_endpoint_auth_method: 'client_secret_basic',
      },
      secret: { kind: 'none' },
      warnings: [],
    },
    operator,
    replacesExisting: false,
    issuesNewSecrets: true,
  });

/** A console whose client is in the store, as an operator registers it. */
async function consoleWithItsClient(status: ClientStatus = 'active') {
  const built = await buildTestConsole();
  await register(built, ID);
  if (status === 'suspended') await changeClientStatus(built.deps.registration, { id: ID, operator, status });
  if (status === 'pending') {
    const client = await built.store.database.clients.find(aClientId(ID));
    if (client === undefined) throw new TypeError('the client is not stored');
    await built.store.database.clients.replace({
      client: { ...client, status, version: client.version + 1 },
    });
  }
  const stored = async () => built.store.database.clients.find(aClientId(ID));
  return {
    ...built,
    stored,
    version: async () => String((await stored())?.version),
    openedForm: async () => sentForm((await built.get(`${PATH}/edit`, 'operator')).text, `${PATH}/edit`),
  };
}

describe('the client of the console', () => {
  it('is named on its page, without what would end every login', async () => {
    const built = await consoleWithItsClient();
    const { get } = built;
    const page = await get(PATH, 'admin');
    expect(readText(page.text)).toContain('The console logs people in with this client.');
    for (const name of ['suspend', 'reject', 'delete', 'rotate-secret', 'rotate-registration-token'])
      expect(page.text, name).not.toContain(`"${PATH}/${name}`);
    for (const name of ['edit', 'revoke-tokens']) expect(page.text, name).toContain(`"${PATH}/${name}`);
    await register(built, 'other');
    const other = await get('/clients/other', 'admin');
    expect(readText(other.text)).not.toContain('The console logs people in');
    for (const name of ['suspend', 'delete', 'rotate-secret'])
      expect(other.text, name).toContain(`"/clients/other/${name}`);
  });

  it.each([
    ['suspend', 'operator', 'active', `vestibule clients suspend ${ID}`],
    ['reject', 'operator', 'pending', `vestibule clients reject ${ID}`],
    ['rotate-secret', 'operator', 'active', `vestibule clients rotate-secret ${ID}`],
    ['rotate-registration-token', 'admin', 'active', `vestibule clients rotate-registration-token ${ID}`],
    ['delete', 'admin', 'active', `vestibule clients delete ${ID} --yes`],
  ] as const)('cannot be ended by %s, also by hand-made requests', async (name, role, status, command) => {
    const built = await consoleWithItsClient(status);
    const before = await built.stored();
    const events = await storedEvents(built);
    const typed = { version: await built.version(), confirmation: ID };
    for (const given of ['viewer', 'operator', 'admin'] as const) {
      const response = await built.post(`${PATH}/${name}`, typed, given);
      const isPermitted = given === role || given === 'admin';
      expect(response.status, given).toBe(isPermitted ? 409 : 403);
      if (!isPermitted) continue;
      const [alert = ''] = shownPage(response).alerts;
      expect(alert).toContain('the console logs people in with this client');
      expect(alert).toContain(command);
    }
    if (name !== 'suspend') expect((await built.get(`${PATH}/${name}`, 'admin')).status).toBe(409);
    expect(await built.stored()).toEqual(before);
    expect(await storedEvents(built)).toEqual(events);
  });

  it.each([
    ['redirect_uris', 'https://console.example/old', 'must stay as it is'],
    [
      'redirect_uris',
      'https://console.example/login/callback\nhttps://second.example/login/callback',
      'must stay as it is',
    ],
    ['scope', 'openid', 'needs profile'],
    ['token_endpoint_auth_method', 'none', 'must stay as it is'],
    ['rest', '{"id_token_signed_response_alg": "ES256"}', 'must stay as it is'],
  ])('keeps what the login needs when it is edited: %s', async (field, value, reason) => {
    const built = await consoleWithItsClient();
    const before = await built.stored();
    const form = { ...(await built.openedForm()), [field]: value };
    for (const step of ['check', 'save']) {
      for (const role of ['operator', 'admin'] as const) {
        const response = await built.post(`${PATH}/edit`, { ...form, step }, role);
        expect(response.status, step).toBe(400);
        expect(response.text).toContain(`id="${field}-error"`);
        const alerts = shownPage(response).alerts.join();
        expect(alerts).toContain(reason);
        expect(alerts).toContain(`vestibule clients update ${ID}`);
        expect(sentForm(response.text, `${PATH}/edit`)[field]).toBe(value);
      }
    }
    expect(await built.stored()).toEqual(before);
  });

  it('can be edited otherwise, also with a larger scope', async () => {
    const { openedForm, post, stored } = await consoleWithItsClient();
    const form = {
      ...(await openedForm()),
      client_name: 'Our console',
      scope: 'email openid profile',
    };
    expect((await post(`${PATH}/edit`, { ...form, step: 'check' }, 'operator')).status).toBe(200);
    expect((await post(`${PATH}/edit`, form, 'operator')).status).toBe(303);
    expect((await stored())?.metadata).toMatchObject({
      client_name: 'Our console',
      scope: 'email openid profile',
    });
  });

  it('can be approved and resumed', async () => {
    for (const [status, name] of [
      ['pending', 'approve'],
      ['suspended', 'resume'],
    ] as const) {
      const { post, stored, version } = await consoleWithItsClient(status);
      expect((await post(`${PATH}/${name}`, { version: await version() }, 'operator')).status).toBe(303);
      expect((await stored())?.status).toBe('active');
    }
  });
});
