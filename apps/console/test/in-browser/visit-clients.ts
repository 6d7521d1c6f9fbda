import { operatorActor } from '@vestibule/clients';
import { changeClient } from '@vestibule/clients/management';
import { operatorAuthority, registerClient } from '@vestibule/clients/registration';
import type { TestConsole } from '../support/build-test-console.js';
import { DOCUMENT_URL, HOSTILE_ID } from '../support/hostile-rows.js';
import { HOSTILE_TEXTS } from '../support/hostile-texts.js';
import type { Visits } from './visits.js';

const OTHER_OPERATOR = operatorActor('other');

/** Visits every page of clients. */
export async function visitClients(visits: Visits, built: TestConsole): Promise<void> {
  await visitLists(visits);
  await visitHostileClients(visits);
  await visitForms(visits, built);
  await visitActions(visits, built);
}

async function visitLists({ open }: Visits): Promise<void> {
  await open('/clients');
  await open('/clients?name=none&redirect_uri=x&contact=y&origin=import', 'There are no such clients.');
  await open('/clients?name=n&status=lost&issued_after=soon&client_id=%C3%A4', 'There is no such status.');
  await open('/clients?name=one&name=two', 'Go to the overview');
  await open('/clients/-/blocks');
  await open('/clients/none');
}

async function visitHostileClients({ open, press, confirm }: Visits): Promise<void> {
  const path = `/clients/${encodeURIComponent(HOSTILE_ID)}`;
  await open(path, 'evil.example');
  await open(`${path}/history`);
  await open(`/clients/${encodeURIComponent(DOCUMENT_URL)}`, 'Metadata document');
  await open('/clients/member-1', 'A federation entity registered this client');
  await open('/clients/hostile-1/edit');
  await press('Save');
  await open('/clients/hostile-2');
  await press('Approve');
  await open('/clients/hostile-3');
  await press('Reject: delete it');
  await confirm('Reject');
}

async function visitForms({ open, press, fill, page }: Visits, { deps }: TestConsole): Promise<void> {
  await open('/clients/-/register');
  await fill({
    client_name: HOSTILE_TEXTS.direction,
    redirect_uris: 'none',
    contacts: HOSTILE_TEXTS.attribute,
  });
  await press('Register');
  await fill({ client_name: 'Shop & <b>"Sons"</b>', redirect_uris: 'https://shop.example/cb', contacts: '' });
  await press('Check', 'What would be registered');
  await press('Register', 'Shown once');
  await press('Open its page');
  await press('Edit');
  await fill({ client_name: 'Shop', contacts: 'ops@shop.example' });
  await press('Check', 'What saving would change');
  await press('Save');

  await press('Edit');
  await fill({ client_name: 'Mine' });
  await changeClient(deps.registration, {
    id: decodeURIComponent(new URL(page.url()).pathname.split('/')[2] ?? ''),
    operator: OTHER_OPERATOR,
    change: ({ metadata }) => ({ ...metadata, client_uri: 'https://shop.example/theirs' }),
  });
  await press('Save', 'Keep their change and add mine');

  const { information } = await registerClient(deps.registration, {
    authority: operatorAuthority(OTHER_OPERATOR),
    body: { redirect_uris: ['https://shop.example/cb'], token_endpoint_auth_method: 'none' },
  });
  await open(`/clients/${information.client_id}/edit`);
  await fill({ token_endpoint_auth_method: 'client_secret_basic' });
  await press('Save', 'Shown once');
  await open(`/clients/${information.client_id}/edit`);
  await fill({ token_endpoint_auth_method: 'none' });
  await press('Save', 'cannot be restored');
  await fill({ confirmation: 'something else' });
  await press('Save and end the secret', 'It differs');
}

async function visitActions(visits: Visits, { deps }: TestConsole): Promise<void> {
  const { open, press, send, confirm } = visits;
  const { information } = await registerClient(deps.registration, {
    authority: operatorAuthority(OTHER_OPERATOR),
    body: { client_name: HOSTILE_TEXTS.template, redirect_uris: ['https://shop.example/cb'] },
  });
  const path = `/clients/${information.client_id}`;
  await open(path);
  await press('Suspend');
  await press('Resume');
  await send(`${path}/suspend`, { version: '0' });
  await press('Rotate secret');
  await confirm('Rotate the secret');
  await open(path);
  await press('Rotate registration access token');
  await confirm('Rotate the registration access token');
  await open(path);
  await press('Whole history');
  await open(path);
  await press('Revoke its tokens');
  await confirm('Revoke');
  await press('Delete');
  await confirm('Delete');
}
