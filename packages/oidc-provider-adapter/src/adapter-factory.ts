import { accessTokenAdapter } from './access-token-adapter.js';
import type { Adapter } from './adapter.js';
import type { AdapterOptions } from './adapter-options.js';
import { artifactAdapter } from './artifact-adapter.js';
import { clientAdapter } from './client-adapter.js';
import { grantAdapter } from './grant-adapter.js';
import { refreshTokenAdapter } from './refresh-token-adapter.js';
import { replayAdapter } from './replay-adapter.js';
import { sessionAdapter } from './session-adapter.js';

export type { AdapterOptions } from './adapter-options.js';

/** The setting `adapter` of node-oidc-provider: returns the store of one model. */
export type AdapterFactory<Payload extends object = object> = (model: string) => Adapter<Payload>;

type MakeAdapter = (model: string, options: AdapterOptions) => Adapter;

/** The models with tables of their own; all others are artifacts. */
const ADAPTERS: ReadonlyMap<string, MakeAdapter> = new Map<string, MakeAdapter>([
  ['AccessToken', accessTokenAdapter],
  ['ClientCredentials', accessTokenAdapter],
  ['RefreshToken', refreshTokenAdapter],
  ['Grant', grantAdapter],
  ['Session', sessionAdapter],
  ['Client', clientAdapter],
  ['ReplayDetection', replayAdapter],
]);

/**
 * Creates the adapter of node-oidc-provider on the shared store. No identifier that is a credential is stored in clear;
 * a single use is one conditional change in the database; revocations by the library send invalidation events like all
 * others.
 */
export function createAdapterFactory<Payload extends object = object>(
  options: AdapterOptions,
): AdapterFactory<Payload> {
  // The stored values come from the library, so they have the library's types.
  return (model) => (ADAPTERS.get(model) ?? artifactAdapter)(model, options) as Adapter<Payload>;
}
