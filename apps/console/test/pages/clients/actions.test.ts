import type { ClientStatus } from '@vestibule/clients';
import { operatorActor } from '@vestibule/clients';
import { operatorAuthority, registerClient } from '@vestibule/clients/registration';
import { aClient, aClientId } from '@vestibule/testkit';
import { describe, expect, it } from 'vitest';
import { buildTestConsole, type TestConsole } from '../../support/build-test-console.js';
import { readText, sentForm, shownPage } from '../../support/shown-page.js';
import { storedEvents } from '../../support/stored-events.js';

const PATH = '/clients/client';

async function consoleWithClient(status: ClientStatus = 'active') {
  const testConsole = await buildTestConsole();
  await testConsole.store.database.clients.create(aClient({ status }));
  return testConsole;
}

/** Sends the form of an action from the page of the client, as an operator. */
async function press({ get, post }: TestConsole, name: string, path = PATH) {
  const { text } = await get(path, 'operator');
  return post(`${path}/${name}`, sentForm(text, `${path}/${name}`), 'operator');
}

/** Opens the page of an action from that of the client, and sends its form with what was typed, as an operator. */
async function confirm({ get, post }: TestConsole, name: string, typed: string, path = PATH) {
  const role = name === 'rotate-registration-token' ? 'admin' : 'operator';
  const { links } = shownPage(await get(path, role));
  const address = Object.values(links).find((each) => each.startsWith(`${path}/${name}?`)) ?? '';
  const { text } = await get(address, role);
  const form = { ...sentForm(text, `${path}/${name}`), confirmation: typed };
  return post(`${path}/${name}`, form, role);
}

const statusOf = async ({ store }: TestConsole) =>
  (await store.database.clients.find(aClientId('client')))?.status;

describe('the actions on a client', () => {
  it('approve, suspend and resume a client under the name of the operator', async () => {
    const testConsole = await consoleWithClient('pending');
    for (const [name, status, notice] of [
      ['approve', 'active', 'approved'],
      ['suspend', 'suspended', 'suspended'],
      ['resume', 'active', 'resumed'],
    ] as const) {
      const response = await press(testConsole, name);
      expect(response.status, name).toBe(303);
      expect(await statusOf(testConsole), name).toBe(status);
      const { text } = await testConsole.get(String(response.headers['location']));
      expect(readText(text), name).toContain(`The client was ${notice}.`);
    }
    const events = await storedEvents(testConsole, 'client:client');
    expect(events.map(({ action, actor }) => [action, actor])).toEqual([
      ['client.registered', 'service'],
      ['client.approved', 'operator:a-operator'],
      ['client.suspended', 'operator:a-operator'],
      ['client.resumed', 'operator:a-operator'],
    ]);
  });

  it('reject a client that waits for approval, confirmed by typing: it is deleted', async () => {
    const testConsole = await consoleWithClient('pending');
    for (const typed of ['', 'reject', 'Client']) {
      const refused = await confirm(testConsole, 'reject', typed);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('id="confirmation-error"');
    }
    expect(await statusOf(testConsole)).toBe('pending');
    const response = await confirm(testConsole, 'reject', 'client');
    expect(response).toMatchObject({ status: 303 });
    const { text } = await testConsole.get(String(response.headers['location']));
    expect(readText(text)).toContain('The client was rejected.');
    expect(await statusOf(testConsole)).toBeUndefined();
    const events = await storedEvents(testConsole, 'client:client');
    expect(events.at(-1)).toMatchObject({ action: 'client.rejected', actor: 'operator:a-operator' });
  });

  it('are offered by the status of the client', async () => {
    const offered = {
      pending: ['approve', 'edit', 'reject', 'suspend'],
      suspended: ['edit', 'resume'],
      active: ['edit', 'suspend'],
    };
    for (const [status, names] of Object.entries(offered)) {
      const { get } = await consoleWithClient(status as ClientStatus);
      const { text } = await get(PATH, 'operator');
      const found = text.matchAll(/(?:action|class="button" href)="\/clients\/client\/([a-z-]+)/g);
      expect([...found].map(([, name]) => name).toSorted(), status).toEqual(names);
    }
  });

  it('replace credentials, confirmed by typing, which are shown once, and never again', async () => {
    const testConsole = await buildTestConsole();
    const { deps, get, store } = testConsole;
    const { information } = await registerClient(deps.registration, {
      authority: operatorAuthority(operatorActor('setup')),
      body: { redirect_uris: ['https://shop.example/cb'] },
    });
    const id = aClientId(information.client_id);
    for (const [name, member] of [
      ['rotate-secret', 'secret'],
      ['rotate-registration-token', 'registrationToken'],
    ] as const) {
      const before = (await store.database.clients.find(id))?.[member];
      expect((await confirm(testConsole, name, 'yes', `/clients/${id}`)).status).toBe(400);
      expect((await store.database.clients.find(id))?.[member]?.digest).toEqual(before?.digest);
      const { status, text } = await confirm(testConsole, name, id, `/clients/${id}`);
      expect(status).toBe(200);
      const after = (await store.database.clients.find(id))?.[member];
      expect(after?.digest).not.toEqual(before?.digest);
      const shown = [...text.matchAll(/<code>([^<]+)<\/code>/g)].map(([, value]) => value ?? '');
      const kind = member === 'secret' ? 'client-secret' : 'registration-access-token';
      const credential = shown.find((value) =>
        store.digester.matches(kind, value, ...(after ? [after.digest] : [])),
      );
      expect(credential, name).toBeDefined();
      for (const page of [`/clients/${id}`, `/clients/${id}/history`])
        expect((await get(page, 'admin')).text).not.toContain(credential);
    }
    const events = await storedEvents(testConsole, `client:${id}`);
    expect(events.slice(1).map(({ action, actor }) => [action, actor])).toEqual([
      ['client.secret_rotated', 'operator:a-operator'],
      ['client.registration_token_rotated', 'operator:a-admin'],
    ]);
  });

  it('do nothing in another version than the operator saw, and show the client as it is now', async () => {
    const testConsole = await consoleWithClient('pending');
    const { text } = await testConsole.get(PATH, 'operator');
    await press(testConsole, 'suspend');
    const seen = { ...sentForm(text, `${PATH}/approve`), confirmation: 'client' };
    for (const name of ['approve', 'reject', 'rotate-secret', 'rotate-registration-token']) {
      const late = await testConsole.post(`${PATH}/${name}`, seen, 'admin');
      expect(late.status, name).toBe(409);
      expect(readText(late.text)).toContain('The client has changed since you opened its page');
      expect(readText(late.text)).toContain('suspended');
    }
    const unversioned = await testConsole.post(`${PATH}/resume`, {}, 'operator');
    expect(unversioned.status).toBe(409);
    expect(await statusOf(testConsole)).toBe('suspended');
  });

  it('say when the current secret ends, and that there is nothing to rotate', async () => {
    for (const [overlap, end] of [
      ['0', 'The current one stops working at once'],
      ['3600', 'The current one still works for 3,600 seconds at most'],
    ] as const) {
      const { deps, get } = await buildTestConsole({ CLIENT_SECRET_OVERLAP_SECONDS: overlap });
      const { information } = await registerClient(deps.registration, {
        authority: operatorAuthority(operatorActor('setup')),
        body: { redirect_uris: ['https://shop.example/cb'] },
      });
      const { text } = await get(`/clients/${information.client_id}/rotate-secret`, 'operator');
      expect(readText(text)).toContain(`${end}, and cannot be restored`);
    }
    const { get } = await consoleWithClient();
    expect((await get(`${PATH}/rotate-secret`, 'operator')).status).toBe(400);
  });

  it('are neither shown to lower roles nor carried out for them, which is recorded', async () => {
    const testConsole = await consoleWithClient('pending');
    const { text } = await testConsole.get(PATH, 'viewer');
    expect(text).not.toContain(`action="${PATH}`);
    expect((await testConsole.get(PATH, 'operator')).text).not.toContain(`${PATH}/delete`);
    expect(text).not.toContain('class="button"');
    const denied = [
      ...['approve', 'reject', 'suspend', 'resume', 'rotate-secret', 'edit'].map(
        (name) => [name, 'viewer'] as const,
      ),
      ['rotate-registration-token', 'operator'] as const,
      ['delete', 'operator'] as const,
      ['revoke-tokens', 'operator'] as const,
    ];
    for (const [name, role] of denied) {
      const { status } = await testConsole.post(`${PATH}/${name}`, { version: '1' }, role);
      expect(status, name).toBe(403);
    }
    for (const [name, role] of denied.slice(-3))
      expect((await testConsole.get(`${PATH}/${name}`, role)).status, name).toBe(403);
    expect(testConsole.refused).toHaveLength(denied.length + 3);
    expect(testConsole.refused[0]).toMatchObject({ path: '/clients/:id/approve', required: 'operator' });
    expect(await statusOf(testConsole)).toBe('pending');
    expect(await storedEvents(testConsole, 'client:client')).toHaveLength(1);
  });
});
