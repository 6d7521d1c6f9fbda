import { type KeyRing, KeyStateError, type openPrivateJwks } from '@vestibule/crypto/signing-keys';
import { ASYMMETRIC_ALGORITHMS, type AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import { withoutPrivateKeys } from './without-private-keys.js';

/** A private key of the key ring. */
export type PrivateJwk = Awaited<ReturnType<typeof openPrivateJwks>>[number];

/** Options of {@link providerHost}. */
export interface ProviderHostOptions<Instance> {
  readonly keys: Pick<KeyRing, 'publicJwks' | 'signingKey'>;
  /** The private keys, since the library signs itself. */
  readonly openPrivateKeys: () => ReturnType<typeof openPrivateJwks>;
  /** Creates a provider for one state of the key ring. */
  readonly create: (privateKeys: readonly PrivateJwk[]) => Instance;
  /**
   * Called once for changed keys for which a provider cannot be created. The error contains no private key of the key
   * ring.
   */
  readonly onProblem: (error: unknown) => void;
  /** Milliseconds that only grow. Default: those of the process. */
  readonly monotonic?: () => number;
}

/** Provides the provider of the current keys. */
export interface ProviderHost<Instance> {
  /**
   * Created at the first use, and again when the key ring has changed. Requests under way keep the provider that they
   * started with. Rejects if no provider can be created, unless there is a previous one whose signing keys are all
   * still published.
   */
  readonly current: () => Promise<Instance>;
}

/** After a failure, the next attempt for the same keys. */
const RETRY_MS = 1_000;

interface Made<Instance> {
  readonly provider: Instance;
  readonly keys: KeyState;
}

interface Failure {
  readonly name: string;
  readonly error: unknown;
  readonly retryAt: number;
}

/**
 * The library reads its keys once. So there is a new instance for every state of the key ring, and requests under way
 * finish on the one that they started with. While a new one cannot be created, the previous one serves, as long as what
 * it signs can be verified; another attempt takes place at intervals, and not for each request.
 */
export function providerHost<Instance>(options: ProviderHostOptions<Instance>): ProviderHost<Instance> {
  const { openPrivateKeys, create, onProblem, monotonic = () => performance.now() } = options;
  let present: Made<Instance> | undefined;
  let making: { readonly name: string; readonly provider: Promise<Instance> } | undefined;
  let failure: Failure | undefined;

  const make = async (keys: KeyState): Promise<Instance> => {
    const privateKeys = await openPrivateKeys();
    try {
      const provider = create(privateKeys);
      present = { provider, keys };
      failure = undefined;
      return provider;
    } catch (error) {
      throw withoutPrivateKeys(error, privateKeys);
    }
  };
  const fail = (name: string, error: unknown) => {
    if (making?.name === name) making = undefined;
    if (present !== undefined && failure?.name !== name) onProblem(error);
    failure = { name, error, retryAt: monotonic() + RETRY_MS };
  };
  const previous = (keys: KeyState, error: unknown): Instance => {
    if (present === undefined || !isVerifiable(present.keys, keys)) throw error;
    return present.provider;
  };
  return {
    current: async () => {
      const keys = stateOfKeys(options.keys);
      const { name } = keys;
      if (present?.keys.name === name) return present.provider;
      if (failure?.name === name && monotonic() < failure.retryAt) return previous(keys, failure.error);
      if (making?.name !== name) making = { name, provider: make(keys) };
      try {
        return await making.provider;
      } catch (error) {
        fail(name, error);
        return previous(keys, error);
      }
    },
  };
}

/** A state of the key ring. */
interface KeyState {
  /** Identifies the state: which keys exist, and which of them sign. */
  readonly name: string;
  readonly published: readonly string[];
  readonly signing: readonly string[];
}

function stateOfKeys({ publicJwks, signingKey }: ProviderHostOptions<unknown>['keys']): KeyState {
  const { keys } = publicJwks();
  const algorithms = ASYMMETRIC_ALGORITHMS.filter((name) => keys.some(({ alg }) => alg === name));
  const signing = algorithms.map((algorithm) => signingKid(signingKey, algorithm));
  const published = keys.map(({ kid }) => kid ?? '');
  return {
    name: [...published, '', ...signing.map((kid) => kid ?? '-')].join(' '),
    published,
    signing: signing.filter((kid) => kid !== undefined),
  };
}

/** Whether all keys that signed in an earlier state are still published. */
function isVerifiable({ signing }: KeyState, { published }: KeyState): boolean {
  return signing.every((kid) => published.includes(kid));
}

function signingKid(signingKey: KeyRing['signingKey'], algorithm: AsymmetricAlgorithm): string | undefined {
  try {
    return signingKey(algorithm).kid;
  } catch (error) {
    // A pending or retired key does not sign.
    if (error instanceof KeyStateError) return undefined;
    throw error;
  }
}
