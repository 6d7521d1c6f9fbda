import type { Client } from '@vestibule/clients';
import type { Store } from '@vestibule/database';
import { parseClientId } from '@vestibule/protocol';
import { issuerOf, type ProviderConfig } from './provider.js';

/** The client with which the console logs people in, and what the login needs of it. */
export interface LoginClient {
  readonly clientId: string;
  /** Scope that the login requests. */
  readonly scope: string;
}

/**
 * Returns the client of the console among the clients that the console shows; `undefined` if the login happens at another
 * provider, whose clients are not in the store.
 */
export function loginClient(config: ProviderConfig): LoginClient | undefined {
  if (issuerOf(config).href !== new URL(config.BASE_URL).href) return undefined;
  return {
    clientId: config.CONSOLE_CLIENT_ID,
    scope: config.CONSOLE_SCOPE,
  };
}

/** Where the client of the console is stored, and which one it is. */
export interface LoginClientDeps {
  readonly store: Pick<Store, 'database'>;
  readonly loginClient?: LoginClient | undefined;
}

/** Finds the client of the console; `undefined` if it is not in the store. */
export async function findLoginClient({ store, loginClient }: LoginClientDeps): Promise<Client | undefined> {
  const id = loginClient && parseClientId(loginClient.clientId);
  return id && store.database.clients.find(id);
}

/**
 * Writes why something is not done that would affect the client of the console.
 * @param reason continues the sentence, as `this client. …` or `the client x, which …`
 */
export function refusalForLoginClient(reason: string): string {
  return `Nothing was changed: the console logs people in with ${reason}`;
}
