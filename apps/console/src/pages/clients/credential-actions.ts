import type { Client } from '@vestibule/clients';
import { rotateClientSecret, rotateRegistrationToken } from '@vestibule/clients/management';
import { html } from '@vestibule/http/pages';
import { DomainError } from '@vestibule/protocol';
import { clientPath } from '../../frame/addresses.js';
import { confirmationWord } from '../../frame/confirmation-word.js';
import type { ConsoleRoute } from '../../frame/console-route.js';
import { joined, link } from '../../frame/parts.js';
import { titleOfClient } from './client-words.js';
import type { ClientsDeps } from './clients-deps.js';
import { credentialsView } from './credentials-view.js';
import { holdsSecret, whenSecretEnds } from './secret-end.js';
import { confirmedClientAction } from './seen-client-action.js';

const CREDENTIALS = [
  {
    name: 'rotate-secret',
    role: 'operator',
    member: 'client_secret',
    noun: 'secret',
    title: 'New secret',
    label: 'Client secret',
    isHeldBy: holdsSecret,
    whenItEnds: whenSecretEnds,
    rotate: rotateClientSecret,
  },
  {
    name: 'rotate-registration-token',
    // With that token the client can be deleted.
    role: 'admin',
    member: 'registration_access_token',
    noun: 'registration access token',
    title: 'New registration access token',
    label: 'Registration access token',
    isHeldBy: ({ registrationToken }: Client) => registrationToken !== undefined,
    whenItEnds: () => 'The current one stops working at once',
    rotate: rotateRegistrationToken,
  },
] as const;

/** Replaces credentials of clients, as `vestibule clients` does, and shows the new one once. */
export function credentialActions(deps: ClientsDeps): readonly ConsoleRoute[] {
  return CREDENTIALS.flatMap(({ name, role, member, noun, title, label, isHeldBy, whenItEnds, rotate }) =>
    confirmedClientAction(deps, {
      name,
      role,
      describe: async (_visit, { client }) => {
        if (!isHeldBy(client)) throw new DomainError('invalid_request', 'The client has no such credential.');
        return {
          title: `Rotate the ${noun} of ${titleOfClient(client)}`,
          content: html`<p>The client gets a new ${noun}, which the next page shows once: give it to the operator of the client. ${whenItEnds(deps, client)}, and cannot be restored.</p>`,
          word: confirmationWord(client.id),
          button: `Rotate the ${noun}`,
        };
      },
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
