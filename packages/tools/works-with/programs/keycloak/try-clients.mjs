import process from 'node:process';
import { run } from './joined-server.mjs';
import { postStack } from './oauth-requests.mjs';
import * as realm from './realm-user.mjs';
import { ensure, step } from './report.mjs';

/** Clients that register with Vestibule and log in at Keycloak. */
export async function tryClients() {
  const { BASE_URL } = process.env;
  const { keycloak } = await import('./run/requests.mjs');
  let notes;

  await step(
    'register at the address of Keycloak’s discovery document, copy, login, introspect',
    async () => {
      const { registration_endpoint: url } = await (
        await fetch(`${BASE_URL}/.well-known/openid-configuration`)
      ).json();
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${process.env.MASTER_TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          client_name: 'Notes',
          redirect_uris: [realm.CALLBACK],
          scope: 'openid orders',
        }),
      });
      notes = await response.json();
      ensure(response.ok, JSON.stringify(notes));
      await run('copy-clients.mjs');
      const client = { id: notes.client_id, secret: notes.client_secret };
      await realm.ensureActive((await realm.signIn({ client })).access_token);
    },
  );

  await step('change and delete, copy', async () => {
    const { client_id, client_secret } = notes;
    const rotated = await postStack(`/clients/${client_id}/secret`);
    ensure(rotated.client_secret !== client_secret, 'the secret is the same');
    await run('copy-clients.mjs');
    const client = { id: client_id, secret: rotated.client_secret };
    await realm.ensureActive((await realm.signIn({ client })).access_token);
    await postStack(`/clients/${client_id}`, undefined, 'DELETE');
    await run('copy-clients.mjs');
    ensure((await keycloak('GET', `/clients?clientId=${client_id}`)).length === 0, 'it is still there');
  });
}
