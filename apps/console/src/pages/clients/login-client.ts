import type { Client } from '@vestibule/clients';
import { html, type Markup } from '@vestibule/http/pages';
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
    `The console goes on using the present secret (CONSOLE_CLIENT_SECRET), with which no login is possible any more. At the command line: vestibule clients rotate-secret ${id}`,
  'rotate-registration-token': (id) =>
    `With the new token the client can be changed and deleted by a request. At the command line: vestibule clients rotate-registration-token ${id}`,
};

/** Whether the console logs people in with this client. */
export function isLoginClient({ loginClient }: Pick<ClientsDeps, 'loginClient'>, { id }: Client): boolean {
  return loginClient?.clientId === id;
}

/**
 * Says why an action is refused because no login would be possible after it: every operator would be locked out.
 * `undefined` if it is not refused.
 * @param action the end of its path, behind that of the client
 */
export function lockoutBy(
  deps: Pick<ClientsDeps, 'loginClient'>,
  client: Client,
  action: string,
): string | undefined {
  if (!isLoginClient(deps, client)) return undefined;
  const reason = REFUSALS[action]?.(client.id);
  return reason && `Nothing was changed: the console logs people in with this client. ${reason}`;
}

/** Renders what the page of a client says if it is that of the console. */
export function loginClientNote(deps: Pick<ClientsDeps, 'loginClient'>, client: Client): Markup | undefined {
  if (!isLoginClient(deps, client)) return undefined;
  return html`<p><strong>The console logs people in with this client.</strong> What would end every login is possible only at the command line: to suspend, reject or delete it, to rotate its credentials, and to change what the login needs (<code>vestibule clients</code>).</p>`;
}
