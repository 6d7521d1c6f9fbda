import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import type { ClientReplacement } from '../client-repository.js';
import { findCurrentRegistration } from '../federation-registration/entity-registration.js';
import { DEFAULT_OPEN_REGISTRATION_SETTINGS } from '../registration/open-registration.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { MASTER, type RegistrationFixture, registrationFixture } from '../testing/registration-fixture.js';
import type { ManagementRequest } from './authorize-management.js';
import {
  type ChangeClientStatusInput,
  changeClientStatus,
  readClientStatus,
  rejectClient,
} from './client-status.js';
import { deleteClient } from './delete-client.js';
import { readClient } from './read-client.js';
import { rotateClientSecret } from './rotate-credentials.js';
import { updateClient } from './update-client.js';

const BODY = { redirect_uris: ['https://app.example.org/cb'] };

async function pendingClient() {
  const limits = { needsApproval: true, unusedLifetimeSeconds: 86_400 };
  const openRegistrations = { ...DEFAULT_OPEN_REGISTRATION_SETTINGS, ...limits };
  const fixture = await registrationFixture({ allowOpenRegistration: true, openRegistrations });
  const { information } = await fixture.register(BODY);
  const id = information.client_id;
  const token = String(information['registration_access_token']);
  const { deps, find } = fixture;
  // The registrant changes the client just before the first change of the operator.
  const overtaken = (client_name: string): RegistrationDeps => ({
    ...deps,
    clients: {
      ...deps.clients,
      replace: async (change) => {
        if ((await find(id))?.version === 1)
          await updateClient(deps, { id, token, body: { ...BODY, client_id: id, client_name } });
        return deps.clients.replace(change);
      },
    },
  });
  return { ...fixture, id, token, overtaken };
}

describe('a registration that needs approval', () => {
  it('is pending if it came without a token, and otherwise not', async () => {
    const { register, find, id, issue } = await pendingClient();
    expect(await find(id)).toMatchObject({ status: 'pending' });
    for (const token of [MASTER, await issue('client-reg')])
      expect(await find((await register(BODY, token)).information.client_id)).toMatchObject({
        status: 'active',
      });
  });

  it('can be read, updated and deleted by its registrant, and stays pending', async () => {
    const { deps, find, id, token } = await pendingClient();
    await readClient(deps, { id, token });
    const body = { ...BODY, client_id: id, client_name: 'Other' };
    const { information } = await updateClient(deps, { id, token, body });
    expect(await find(id)).toMatchObject({ status: 'pending', metadata: { client_name: 'Other' } });
    const next = String(information['registration_access_token']);
    expect(await readClientStatus(deps, { id, token: next })).toMatchObject({ status: 'pending' });
    await deleteClient(deps, { id, token: next });
    expect(await find(id)).toBeUndefined();
  });
});

describe('approval', () => {
  it('activates a client once, and starts the time until its first use', async () => {
    const { deps, find, clock, id } = await pendingClient();
    clock.advanceSeconds(80_000);
    await changeClientStatus(deps, { status: 'active', id, token: MASTER });
    const approved = await find(id);
    expect(approved).toMatchObject({ status: 'active', version: 2, expiresAt: nowSeconds(clock) + 86_400 });
    await changeClientStatus(deps, { status: 'active', id, token: MASTER });
    expect(await find(id)).toEqual(approved);
    expect(await readClientStatus(deps, { id, token: MASTER })).toMatchObject({
      status: 'active',
      expires_at: nowSeconds(clock) + 86_400,
    });
  });

  it('applies to the current client, even if it changes at the same moment', async () => {
    const { deps, find, id, overtaken } = await pendingClient();
    await changeClientStatus(overtaken('Other'), { status: 'active', id, token: MASTER });
    expect(await find(id)).toMatchObject({
      status: 'active',
      metadata: { client_name: 'Other' },
      version: 3,
    });
    expect(await readClientStatus(deps, { id, token: MASTER })).toMatchObject({ status: 'active' });
  });

  it('applies only to the version that the operator has read, if the request says so', async () => {
    const { deps, find, id, token } = await pendingClient();
    const { entityTag, version } = await readClient(deps, { id, token: MASTER });
    expect(await readClientStatus(deps, { id, token: MASTER })).toMatchObject({
      status: 'pending',
      entityTag,
    });
    const changed = await updateClient(deps, {
      id,
      token,
      body: { ...BODY, client_id: id, client_name: 'Bank' },
    });
    const conditions: readonly Partial<ChangeClientStatusInput>[] = [
      { ifMatch: [entityTag] },
      { ifMatch: [] },
      { ifNoneMatch: '*' },
      { ifVersion: version },
    ];
    for (const condition of conditions)
      await expect(
        changeClientStatus(deps, { status: 'active', id, token: MASTER, ...condition }),
      ).rejects.toMatchObject({
        code: 'precondition_failed',
      });
    expect(await find(id)).toMatchObject({ status: 'pending', version: changed.version });
    const approved = await changeClientStatus(deps, {
      status: 'active',
      id,
      token: MASTER,
      ifMatch: [changed.entityTag],
    });
    expect(approved.entityTag).toBe((await readClient(deps, { id, token: MASTER })).entityTag);
    expect(approved).toEqual(await readClientStatus(deps, { id, token: MASTER }));
    await expect(
      changeClientStatus(deps, { status: 'active', id, token: MASTER, ifMatch: [changed.entityTag] }),
    ).rejects.toMatchObject({ code: 'precondition_failed' });
  });

  it('with a condition fails if the client changes at the same moment', async () => {
    const { deps, find, id, overtaken } = await pendingClient();
    const { entityTag } = await readClient(deps, { id, token: MASTER });
    const approval = changeClientStatus(overtaken('Bank'), {
      status: 'active',
      id,
      token: MASTER,
      ifMatch: [entityTag],
    });
    await expect(approval).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await find(id)).toMatchObject({ status: 'pending', version: 2 });
  });

  it('ends if the registrant changes the client, which is then pending again', async () => {
    const { deps, find, id, token } = await pendingClient();
    await changeClientStatus(deps, { status: 'active', id, token: MASTER });
    const first = await updateClient(deps, { id, token, body: { ...BODY, client_id: id } });
    expect(await find(id)).toMatchObject({ status: 'active', version: 3 });
    const next = String(first.information['registration_access_token']);
    const redirect_uris = ['https://elsewhere.example.org/cb'];
    await updateClient(deps, { id, token: next, body: { redirect_uris, client_id: id } });
    expect(await find(id)).toMatchObject({ status: 'pending', version: 4, metadata: { redirect_uris } });
    await changeClientStatus(deps, { status: 'active', id, token: MASTER });
    expect(await find(id)).toMatchObject({ status: 'active' });
  });

  it('lasts if the operator changes the client, and if approval is no longer required', async () => {
    const { deps, find, id } = await pendingClient();
    await changeClientStatus(deps, { status: 'active', id, token: MASTER });
    const body = { ...BODY, client_id: id };
    const changes = [{ token: MASTER }, { operator: 'operator:jane' as const }];
    for (const [index, right] of changes.entries())
      await updateClient(deps, { id, ...right, body: { ...body, client_name: `Name ${index}` } });
    expect(await find(id)).toMatchObject({ status: 'active', metadata: { client_name: 'Name 1' } });
    const settings = { ...deps.settings, openRegistrations: DEFAULT_OPEN_REGISTRATION_SETTINGS };
    const { information } = await readClient(deps, { id, token: MASTER });
    const token = String(information['registration_access_token']);
    await updateClient({ ...deps, settings }, { id, token, body });
    expect(await find(id)).toMatchObject({ status: 'active' });
  });

  it('is never required of a client that was registered with a token, whatever changes', async () => {
    const { deps, find, issue, register } = await pendingClient();
    const { information } = await register(BODY, await issue('client-reg'));
    const { client_id: id, registration_access_token: token } = information;
    const body = { ...BODY, client_id: id, client_name: 'Other' };
    await updateClient(deps, { id, token: String(token), body });
    expect(await find(id)).toMatchObject({ status: 'active', metadata: { client_name: 'Other' } });
  });

  it('is refused for the registrant, and for an unknown client', async () => {
    const approveClient = (deps: RegistrationDeps, request: ManagementRequest) =>
      changeClientStatus(deps, { ...request, status: 'active' });
    for (const evaluate of [approveClient, rejectClient]) {
      const { deps, find, id, token } = await pendingClient();
      await expect(evaluate(deps, { id })).rejects.toMatchObject({ code: 'missing_token' });
      await expect(evaluate(deps, { id, token })).rejects.toMatchObject({ code: 'insufficient_scope' });
      await expect(evaluate(deps, { id, token: 'x' })).rejects.toMatchObject({ code: 'invalid_token' });
      await expect(evaluate(deps, { id: 'x', token: MASTER })).rejects.toMatchObject({ code: 'not_found' });
      expect(await find(id)).toMatchObject({ status: 'pending', version: 1 });
    }
  });
});

describe('rejection', () => {
  it('deletes a client only as the request knows it, if it says so', async () => {
    const { deps, find, id, token } = await pendingClient();
    const { entityTag } = await readClientStatus(deps, { id, token: MASTER });
    await updateClient(deps, { id, token, body: { ...BODY, client_id: id, client_name: 'Changed' } });
    const request = { id, token: MASTER };
    await expect(rejectClient(deps, { ...request, ifMatch: [entityTag] })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    expect(await find(id)).toMatchObject({ status: 'pending' });
    const { entityTag: present } = await readClientStatus(deps, request);
    await rejectClient(deps, { ...request, ifMatch: [present] });
    expect(await find(id)).toBeUndefined();
  });

  it('deletes a pending client, and no other', async () => {
    const { deps, find, id } = await pendingClient();
    await rejectClient(deps, { id, token: MASTER });
    expect(await find(id)).toBeUndefined();
    const other = await pendingClient();
    await changeClientStatus(other.deps, { status: 'active', id: other.id, token: MASTER });
    await expect(rejectClient(other.deps, { id: other.id, token: MASTER })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await other.find(other.id)).toMatchObject({ status: 'active' });
  });
});

describe('suspension', () => {
  const setStatus = (fixture: RegistrationFixture, id: string, status: 'active' | 'suspended') =>
    changeClientStatus(fixture.deps, { id, token: MASTER, status });

  it('is recorded in the audit log as suspension and resumption', async () => {
    const { deps, id } = await pendingClient();
    const actions: unknown[] = [];
    const clients = {
      ...deps.clients,
      replace: (change: ClientReplacement) => {
        actions.push(change.action);
        return deps.clients.replace(change);
      },
    };
    for (const status of ['active', 'suspended', 'suspended', 'active'] as const)
      await changeClientStatus({ ...deps, clients }, { id, token: MASTER, status });
    expect(actions).toEqual(['client.approved', 'client.suspended', 'client.resumed']);
  });

  it('is reserved for the operator', async () => {
    const { deps, find, id, token } = await pendingClient();
    const refused = changeClientStatus(deps, { id, token, status: 'suspended' });
    await expect(refused).rejects.toMatchObject({ code: 'insufficient_scope' });
    expect(await find(id)).toMatchObject({ status: 'pending' });
  });

  it('lasts if the operator changes the registration', async () => {
    const fixture = await pendingClient();
    const { deps, find, id } = fixture;
    await setStatus(fixture, id, 'suspended');
    await updateClient(deps, { id, token: MASTER, body: { ...BODY, client_id: id } });
    expect(await find(id)).toMatchObject({ status: 'suspended', version: 3 });
  });

  // Otherwise the entity would register again as soon as its registration has expired.
  it('of a federated client lasts beyond the expiry of its registration, and refuses the entity', async () => {
    const fixture = await pendingClient();
    const { change, clock, deps, find, id } = fixture;
    const now = nowSeconds(clock);
    const federation = {
      entityId: 'https://rp.example.org',
      trustAnchor: 'https://anchor.example.org',
      superior: 'https://anchor.example.org',
      chainExpiresAt: epochSeconds(now + 500),
      statementIssuedAt: now,
      isAddressed: false,
    };
    await change(id, (client) => ({
      ...client,
      origin: 'federation_automatic',
      federation,
      expiresAt: epochSeconds(now + 100),
    }));
    await setStatus(fixture, id, 'suspended');
    clock.advanceSeconds(1000);
    const next = { ...federation, isAddressed: true };
    await expect(findCurrentRegistration(deps, next)).rejects.toMatchObject({
      code: 'unauthorized_client',
      detail: 'the registration is suspended',
    });
    expect(await find(id)).toMatchObject({ status: 'suspended' });
    await setStatus(fixture, id, 'active').catch(() => undefined);
    expect(await find(id)).toMatchObject({ status: 'active', expiresAt: now + 500 });
    expect(await findCurrentRegistration(deps, next)).toBeUndefined();
  });

  // Otherwise the next request would bring the client back active.
  it('of the client of a metadata document that was never used has no end', async () => {
    const fixture = await pendingClient();
    const { change, clock, find, id } = fixture;
    const expiresAt = epochSeconds(nowSeconds(clock) + 100);
    await change(id, (client) => ({ ...client, status: 'active', origin: 'metadata_document', expiresAt }));
    await setStatus(fixture, id, 'suspended');
    expect(await find(id)).toMatchObject({ status: 'suspended' });
    expect(await find(id)).not.toHaveProperty('expiresAt');
  });

  it('keeps the client from changing or deleting itself', async () => {
    const fixture = await pendingClient();
    const { deps, find, id, token } = fixture;
    await setStatus(fixture, id, 'suspended');
    const body = { ...BODY, client_id: id };
    const refused = { code: 'insufficient_scope' };
    await expect(updateClient(deps, { id, token, body })).rejects.toMatchObject(refused);
    await expect(deleteClient(deps, { id, token })).rejects.toMatchObject(refused);
    await expect(rotateClientSecret(deps, { id, token })).rejects.toMatchObject(refused);
    expect(await find(id)).toMatchObject({ status: 'suspended', version: 2 });
  });
});
