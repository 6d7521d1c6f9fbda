import type { Provider } from 'oidc-provider';
import { createProvider } from './create-provider.js';
import type { ProviderDeps } from './provider-deps.js';

/** Gives the provider that serves now. */
export interface ProviderHost {
  /** Made at the first use, and anew when the key set has changed; whoever has one goes on with it. */
  readonly current: () => Promise<Provider>;
}

/**
 * The library takes its keys once. So there is a new instance for every state of the key ring, and requests that are
 * under way end on the one that they began with. While a new one cannot be made, the one before serves.
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

/** What a provider is made of: which keys there are, and which of them sign. */
function stateOfKeys({ keys, signingAlgorithms }: ProviderDeps): string {
  const published = keys.publicJwks().keys.map(({ kid }) => kid);
  const signing = signingAlgorithms.map((algorithm) => keys.signingKey(algorithm).kid);
  return [...published, '', ...signing].join(' ');
}
