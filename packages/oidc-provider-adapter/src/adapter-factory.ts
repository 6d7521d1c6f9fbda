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

/** What the setting `adapter` of node-oidc-provider takes: gives the store of one model. */
export type AdapterFactory<Payload extends object = object> = (model: string) => Adapter<Payload>;

type MakeAdapter = (model: string, options: AdapterOptions) => Adapter;

/** The models that have tables of their own; all others are artifacts. */
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
 * The adapter of node-oidc-provider over the shared store. No identifier that is a credential is stored in clear; what
 * can happen once is one conditional change in the database; what the library revokes is announced like every other
 * revocation.
 */
export function createAdapterFactory<Payload extends object = object>(
  options: AdapterOptions,
): AdapterFactory<Payload> {
  // What is stored came from the library, so that it is what the library's types say.
  return (model) => (ADAPTERS.get(model) ?? artifactAdapter)(model, options) as Adapter<Payload>;
}
