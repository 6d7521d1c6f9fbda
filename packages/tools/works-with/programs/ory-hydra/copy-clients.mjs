// Copies the clients that registered with Vestibule to Hydra: new ones, changes and deletions.
import { hydra, vestibule } from './requests.mjs';

const registered = [
  ...(await vestibule('GET', '/clients?origin=registration&status=active')),
  ...(await vestibule('GET', '/clients?origin=open_registration&status=active')),
];
const copies = (await hydra('GET', '/admin/clients?page_size=500')).filter(
  ({ metadata }) => metadata?.vestibule,
);

for (const {
  registration_access_token,
  registration_client_uri,
  client_secret_expires_at,
  ...client
} of registered) {
  const audience = ['https://orders.example'];
  const copy = { ...client, audience, metadata: { vestibule: true } };
  const isKnown = copies.some(({ client_id }) => client_id === client.client_id);
  const path = `/admin/clients/${encodeURIComponent(client.client_id)}`;
  await (isKnown ? hydra('PUT', path, copy) : hydra('POST', '/admin/clients', copy));
}

const ids = new Set(registered.map(({ client_id }) => client_id));
for (const { client_id } of copies)
  if (!ids.has(client_id)) await hydra('DELETE', `/admin/clients/${encodeURIComponent(client_id)}`);
