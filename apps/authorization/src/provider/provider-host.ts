import type { Provider } from 'oidc-provider';
import { createProvider } from './create-provider.js';
import type { ProviderDeps } from './provider-deps.js';

/** Provides the current provider. */
export interface ProviderHost {
  /**
   * Created at the first use, and again when the key set has changed. Requests under way keep the provider that they
   * started with.
   */
  readonly current: () => Promise<Provider>;
}

/**
 * The library reads its keys once. So there is a new instance for every state of the key ring, and requests under way
 * finish on the one that they started with. While a new one cannot be created, the previous one serves.
 */
export function createProviderHost(deps: ProviderDeps): ProviderHost {
  let present: { readonly provider: Provider; readonly state: string } | undefined;
  let making: { readonly state: string; readonly provider: Promise<Provider> } | undefined;

  const make = async (state: string): Promise<Provider> => {
    const provider = createProvider(deps, await deps.openPrivateKeys());
    present = { provider, state };
    return provider;
  };
  return {
    current: async () => {
      const state = stateOfKeys(deps);
      if (present?.state === state) return present.provider;
      if (making?.state !== state) making = { state, provider: make(state) };
      try {
        return await making.provider;
      } catch (error) {
        making = undefined;
        if (present === undefined) throw error;
        deps.onProblem(error);
        return present.provider;
      }
    },
  };
}

/** Identifies the state of the keys: which ones exist, and which of them sign. */
function stateOfKeys({ keys, signingAlgorithms }: ProviderDeps): string {
  const published = keys.publicJwks().keys.map(({ kid }) => kid);
  const signing = signingAlgorithms.map((algorithm) => keys.signingKey(algorithm).kid);
  return [...published, '', ...signing].join(' ');
}
