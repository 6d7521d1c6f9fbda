import type { Client } from '@vestibule/clients';
import { hiddenFields, html, type Markup } from '@vestibule/http/pages';
import { addressWith, clientPath } from '../../frame/addresses.js';
import { actionForm } from '../../frame/forms.js';
import { includesRole, type Role } from '../../frame/operator.js';
import { section } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import type { ClientsDeps } from './clients-deps.js';
import { lockoutBy } from './login-client.js';
import { holdsSecret } from './secret-end.js';

/** Renders what the operator can do with a client in its present state. */
export function clientActions(deps: ClientsDeps, visit: Visit, client: Client): Markup | undefined {
  if (!includesRole(visit.operator.role, 'operator')) return undefined;
  const version = String(client.version);
  const form = (name: string, button: string) =>
    lockoutBy(deps, client, name) === undefined
      ? actionForm(visit, {
          action: clientPath(client.id, name),
          role: 'operator',
          content: html`${hiddenFields({ version })}`,
          button,
        })
      : undefined;
  const page = (name: string, text: string, role: Role = 'operator') =>
    includesRole(visit.operator.role, role) && lockoutBy(deps, client, name) === undefined
      ? html`<a class="button" href="${addressWith(clientPath(client.id, name), { version })}">${text}</a>\n`
      : undefined;
  const { status, registrationToken } = client;
  const offered = [
    html`<a class="button" href="${clientPath(client.id, 'edit')}">Edit</a>\n`,
    status === 'pending' ? form('approve', 'Approve') : undefined,
    status === 'pending' ? page('reject', 'Reject: delete it') : undefined,
    status === 'suspended' ? form('resume', 'Resume') : form('suspend', 'Suspend'),
    holdsSecret(client) ? page('rotate-secret', 'Rotate secret') : undefined,
    registrationToken === undefined
      ? undefined
      : page('rotate-registration-token', 'Rotate registration access token', 'admin'),
    page('revoke-tokens', 'Revoke its tokens', 'admin'),
    page('delete', 'Delete', 'admin'),
  ];
  return section('Actions', html`<div class="actions">${offered.filter((one) => one !== undefined)}</div>`);
}
