import type { Client } from '@vestibule/clients';
import { html, type Markup } from '@vestibule/http/pages';
import { refusalForLoginClient } from '../../login/login-client.js';
import type { ClientsDeps } from './clients-deps.js';

/** What must not happen to the client of the console, by the name of the action; each ends with the command for it. */
const REFUSALS: Readonly<Record<string, (id: string) => string>> = {
  suspend: (id) =>
    `While it is suspended, no login to the console is possible. At the command line: vestibule clients suspend ${id}`,
  reject: (id) =>
    `Without it, no login to the console is possible. At the command line: vestibule clients reject ${id}`,
  delete: (id) =>
    `Without it, no login to the console is possible. At the command line: vestibule clients delete ${id} --yes`,
  'rotate-secret': (id) =>
    `The console goes on using the current secret (CONSOLE_CLIENT_SECRET), with which no login is possible any more. At the command line: vestibule clients rotate-secret ${id}`,
  'rotate-registration-token': (id) =>
    `With the new token the client can be changed and deleted by a request. At the command line: vestibule clients rotate-registration-token ${id}`,
};

/** Whether the console logs people in with this client. */
export function isLoginClient({ loginClient }: Pick<ClientsDeps, 'loginClient'>, { id }: Client): boolean {
  return loginClient?.clientId === id;
}

/**
 * Says why an action on the client of the console is refused: most would end every login. `undefined` if it is not
 * refused.
 * @param action the end of its path, behind that of the client
 */
export function lockoutBy(
  deps: Pick<ClientsDeps, 'loginClient'>,
  client: Client,
  action: string,
): string | undefined {
  if (!isLoginClient(deps, client)) return undefined;
  const reason = REFUSALS[action]?.(client.id);
  return reason && refusalForLoginClient(`this client. ${reason}`);
}

/** Renders what the page of a client says if it is that of the console. */
export function loginClientNote(deps: Pick<ClientsDeps, 'loginClient'>, client: Client): Markup | undefined {
  if (!isLoginClient(deps, client)) return undefined;
  return html`<p><strong>The console logs people in with this client.</strong> Here it cannot be suspended, rejected or deleted, its credentials cannot be rotated, and what the login needs cannot be changed. Nor can the digest key under which its secret is stored be retired, or an entity through which it is registered be denied. Most of this would end every login. Use the <code>vestibule</code> command instead.</p>`;
}
