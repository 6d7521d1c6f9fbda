import { rotateClientSecret, rotateRegistrationToken } from '@vestibule/clients/management';
import { html } from '@vestibule/http/pages';
import { clientPath } from '../../frame/addresses.js';
import type { ActionRoute } from '../../frame/console-route.js';
import { joined, link } from '../../frame/parts.js';
import { titleOfClient } from './client-words.js';
import type { ClientsDeps } from './clients-deps.js';
import { credentialsView } from './credentials-view.js';
import { seenClientAction } from './seen-client-action.js';

const CREDENTIALS = [
  {
    name: 'rotate-secret',
    member: 'client_secret',
    title: 'New secret',
    label: 'Client secret',
    rotate: rotateClientSecret,
  },
  {
    name: 'rotate-registration-token',
    member: 'registration_access_token',
    title: 'New registration access token',
    label: 'Registration access token',
    rotate: rotateRegistrationToken,
  },
] as const;

/** Replaces credentials of clients, as `vestibule clients` does, and shows the new one once. */
export function credentialActions(deps: ClientsDeps): readonly ActionRoute[] {
  return CREDENTIALS.map(({ name, member, title, label, rotate }) =>
    seenClientAction(deps, {
      name,
      role: 'operator',
      perform: async (visit, { client, entityTag }) => {
        const { information } = await rotate(deps.registration, {
          id: client.id,
          operator: visit.operator.actor,
          ifMatch: [entityTag],
        });
        return {
          title,
          content: joined(
            html`<p>For ${link(clientPath(client.id), titleOfClient(client))}.</p>`,
            credentialsView({ 'Client ID': client.id, [label]: String(information[member]) }),
          ),
        };
      },
    }),
  );
}
