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
