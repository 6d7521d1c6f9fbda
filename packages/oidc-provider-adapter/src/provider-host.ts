import { type KeyRing, KeyStateError, type openPrivateJwks } from '@vestibule/crypto/signing-keys';
import { ASYMMETRIC_ALGORITHMS, type AsymmetricAlgorithm } from '@vestibule/protocol/constants';

/** A private key of the key ring. */
export type PrivateJwk = Awaited<ReturnType<typeof openPrivateJwks>>[number];

/** Options of {@link providerHost}. */
export interface ProviderHostOptions<Instance> {
  readonly keys: Pick<KeyRing, 'publicJwks' | 'signingKey'>;
  /** The private keys, since the library signs itself. */
  readonly openPrivateKeys: () => ReturnType<typeof openPrivateJwks>;
  /** Creates a provider for one state of the key ring. */
  readonly create: (privateKeys: readonly PrivateJwk[]) => Instance;
  /** Called once for changed keys for which a provider cannot be created; the previous one stays. */
  readonly onProblem: (error: unknown) => void;
}

/** Provides the provider of the current keys. */
export interface ProviderHost<Instance> {
  /**
   * Created at the first use, and again when the key ring has changed. Requests under way keep the provider that they
   * started with.
   */
  readonly current: () => Promise<Instance>;
}

/**
 * The library reads its keys once. So there is a new instance for every state of the key ring, and requests under way
 * finish on the one that they started with. While a new one cannot be created, the previous one serves.
 */
export function providerHost<Instance>(options: ProviderHostOptions<Instance>): ProviderHost<Instance> {
  const { keys, openPrivateKeys, create, onProblem } = options;
  let present: { readonly provider: Instance; readonly state: string } | undefined;
  let reported: string | undefined;
  let making: { readonly state: string; readonly provider: Promise<Instance> } | undefined;

  const make = async (state: string): Promise<Instance> => {
    const provider = create(await openPrivateKeys());
    present = { provider, state };
    return provider;
  };
  return {
    current: async () => {
      const state = stateOfKeys(keys);
      if (present?.state === state) return present.provider;
      if (making?.state !== state) making = { state, provider: make(state) };
      try {
        return await making.provider;
      } catch (error) {
        making = undefined;
        if (present === undefined) throw error;
        if (reported !== state) onProblem(error);
        reported = state;
        return present.provider;
      }
    },
  };
}

/** Identifies the state of the keys: which ones exist, and which of them sign. */
function stateOfKeys({ publicJwks, signingKey }: ProviderHostOptions<unknown>['keys']): string {
  const published = publicJwks().keys;
  const algorithms = ASYMMETRIC_ALGORITHMS.filter((name) => published.some(({ alg }) => alg === name));
  const signing = algorithms.map((algorithm) => signingKid(signingKey, algorithm));
  return [...published.map(({ kid }) => kid), '', ...signing].join(' ');
}

function signingKid(signingKey: KeyRing['signingKey'], algorithm: AsymmetricAlgorithm): string {
  try {
    return signingKey(algorithm).kid ?? '-';
  } catch (error) {
    // A pending or retired key does not sign.
    if (error instanceof KeyStateError) return '-';
    throw error;
  }
}
