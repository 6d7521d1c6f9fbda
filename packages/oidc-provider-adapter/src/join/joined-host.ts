import type { RequestListener, ServerResponse } from 'node:http';
import { startMaintenanceJob } from '@vestibule/database';
import type { Provider } from 'oidc-provider';
import { type ProviderHostOptions, providerHost } from '../provider-host.js';
import { followingProvider } from './following-provider.js';
import type { RefuseMisdirected } from './misdirected-requests.js';

/** Options of {@link startJoinedHost}. */
export interface JoinedHostOptions<Instance> extends ProviderHostOptions<Instance & Provider> {
  readonly refuse: RefuseMisdirected;
}

/** Follows the signing keys. */
export interface JoinedHost<Instance> {
  /** A provider that always is the one of the present keys. */
  readonly provider: Instance;
  /** The provider that was created first. */
  readonly first: Instance & Provider;
  /** Handles requests with the current provider. */
  readonly callback: () => RequestListener;
  /** Stops looking at the keys. */
  stop(): Promise<void>;
}

/** The keys themselves are read anew at longer intervals. */
const LOOK_INTERVAL_MS = 1_000;

/**
 * Creates the first provider, and the next one when the keys have changed: with each request, and also without any.
 * @throws what the creation of the first provider throws
 */
export async function startJoinedHost<Instance extends object>({
  refuse,
  create,
  ...options
}: JoinedHostOptions<Instance>): Promise<JoinedHost<Instance>> {
  const handle: RequestListener = async (request, response) => {
    if (refuse(request, response)) return;
    const served = await look().catch(() => undefined);
    if (served === undefined) refuseForNow(response);
    else await served.handle(request, response);
  };
  const callback = () => handle;
  const host = providerHost({
    ...options,
    create: (privateKeys) => {
      const provider = create(privateKeys);
      const handleItself = provider.callback();
      // However an instance is mounted, later requests get the provider of the keys of their time.
      provider.callback = callback;
      return { provider, handle: handleItself };
    },
  });
  let present = await host.current();
  const { provider: first } = present;
  const look = async () => {
    present = await host.current();
    return present;
  };
  // The host reports problems itself.
  const looking = startMaintenanceJob({
    run: async () => {
      await look();
    },
    intervalMs: LOOK_INTERVAL_MS,
    onError: () => undefined,
  });
  return {
    provider: followingProvider({
      present: () => present.provider,
      current: async () => (await look()).provider,
      callback,
    }),
    first,
    callback,
    stop: looking.stop,
  };
}

/** The keys of the previous provider are gone, and a new one cannot be created yet. */
function refuseForNow(response: ServerResponse): void {
  response.writeHead(503, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'retry-after': '1',
  });
  response.end(
    JSON.stringify({
      error: 'temporarily_unavailable',
      error_description: 'the signing keys have changed and cannot be used yet',
    }),
  );
}
