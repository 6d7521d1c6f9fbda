import process from 'node:process';
import { importedSecrets } from '@vestibule/client-auth';
import { declaredScope, findResourceServer } from '@vestibule/clients/resource-servers';
import { secureRandom } from '@vestibule/crypto';
import type { Store } from '@vestibule/database';
import { startSettingsWatch } from '@vestibule/database/agreed-settings';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { pairwiseSubjects, recordPairwiseSubject } from '@vestibule/tokens/issuing';
import type { Provider } from 'oidc-provider';
import { type AdapterFactory, type AdapterOptions, createAdapterFactory } from '../adapter-factory.js';
import { jwtCustomizer } from '../jwt-customizer.js';
import { type CheckedOptions, checkOptions } from './check-options.js';
import { createChecked } from './create-checked.js';
import { extendProvider } from './extend-provider.js';
import { JoinError } from './join-error.js';
import type { JoinableProvider, JoinedProvider, JoinOptions } from './join-options.js';
import { type JoinedParts, joinedConfiguration } from './joined-configuration.js';
import { startJoinedHost } from './joined-host.js';
import { misdirected } from './misdirected-requests.js';
import { openJoinedStore } from './open-joined-store.js';
import { performedBy } from './performed.js';
import { sessionCookieOf } from './session-cookie.js';

/** Verifying the hash of an imported secret gets a 429 after this time. */
const SECRET_HASH_DEADLINE_MS = 5_000;

/**
 * Joins a provider of node-oidc-provider with the services: it reads the registered clients, keeps tokens, grants and
 * sessions in the shared store, signs with the shared keys, also after they rotate, and records which clients are used.
 * @throws JoinError with every problem of the options at once, or if the database cannot be used
 */
export async function joinProvider<Configuration extends object, Instance extends JoinableProvider>(
  options: JoinOptions<Configuration, Instance>,
): Promise<JoinedProvider<Instance>> {
  const { onProblem = warn, openTimeoutMs } = options;
  const checked = checkOptions(options);
  const store = await openJoinedStore({ ...checked, onProblem, openTimeoutMs });
  try {
    return await joined(options, { ...checked, store, onProblem });
  } catch (error) {
    await store.close();
    throw error;
  }
}

function warn(problem: string): void {
  process.stderr.write(`vestibule: ${problem}\n`);
}

interface Joining extends CheckedOptions {
  readonly store: Store;
  readonly onProblem: (problem: string) => void;
}

async function joined<Configuration extends object, Instance extends JoinableProvider>(
  options: JoinOptions<Configuration, Instance>,
  joining: Joining,
): Promise<JoinedProvider<Instance>> {
  const { store, issuer, endpoints, logoutPath, onProblem, configuration: given } = joining;
  const reportError = (error: unknown) => onProblem(messageOf(error));
  const adapter = adapterOptions(options, joining);
  const { records } = adapter;
  const watched = watchedFactory(createAdapterFactory(adapter));
  const parts: JoinedParts = {
    adapter: watched.factory,
    customizer: jwtCustomizer(adapter),
    endpoints,
    pairwise: {
      create: pairwiseSubjects(records, secureRandom),
      record: (sector, accountId, subject) => recordPairwiseSubject(records, { sector, accountId }, subject),
    },
    declaredBy: async (resource) => {
      const server = await findResourceServer(
        { clients: store.database.clients, clock: store.clock },
        resource,
      );
      return server === undefined ? [] : [...declaredScope(server.client.metadata)];
    },
    onProblem,
  };
  const { providerKeys: keys, openPrivateKeys } = store;
  const host = await startJoinedHost({
    keys,
    openPrivateKeys,
    create: (privateKeys) => {
      // The configuration is that of the team with other values.
      const configuration = joinedConfiguration(given, parts, privateKeys) as Configuration;
      const provider = createChecked(options.createProvider, configuration, issuer);
      extendProvider(provider, { issuer, store, onProblem });
      return provider;
    },
    onProblem: (error) => onProblem(notFollowed(error)),
    refuse: misdirected(endpoints, onProblem),
  });
  try {
    await requireUse(host.first, watched);
  } catch (error) {
    await host.stop();
    throw error;
  }
  const watch = startSettingsWatch({
    store,
    program: 'node-oidc-provider',
    settings: {
      issuer,
      provider: { sessionCookie: sessionCookieOf(given), logoutPath, isJoined: true },
    },
    onConflict: onProblem,
    onError: reportError,
  });
  return {
    provider: host.provider,
    callback: host.callback,
    close: async () => {
      await Promise.all([host.stop(), watch.stop()]);
      await store.close();
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The signing keys have changed, and the provider could not follow. */
function notFollowed(error: unknown): string {
  return `The signing keys have changed, and no provider can be created for them. The previous one serves while its keys are published, and the attempt is repeated. Reason: ${messageOf(error)}`;
}

function adapterOptions<Configuration extends object, Instance extends JoinableProvider>(
  options: JoinOptions<Configuration, Instance>,
  { store, issuer, configuration }: Joining,
): AdapterOptions {
  const { database, digester, encryptor, clock } = store;
  const { accessTokenType, endsOfflineAccess, secretOverlapSeconds, extensionGrantTypes } = options;
  return {
    clock,
    issuer,
    digester,
    encryptor,
    clients: database.clients,
    blocks: database.clientBlocks,
    records: database.providerRecords,
    replays: database.replays,
    importedSecrets: importedSecrets({
      clients: database.clients,
      digester,
      encryptor,
      clock,
      deadline: { limitMs: SECRET_HASH_DEADLINE_MS, scheduler: nodeScheduler },
    }),
    performed: performedBy(configuration, extensionGrantTypes),
    ...(secretOverlapSeconds !== undefined && { secretOverlapSeconds }),
    ...(accessTokenType !== undefined && { accessTokenType }),
    ...(endsOfflineAccess !== undefined && { endsOfflineAccess }),
  };
}

interface WatchedFactory {
  readonly factory: AdapterFactory;
  readonly isUsed: () => boolean;
}

function watchedFactory(create: AdapterFactory): WatchedFactory {
  let isUsed = false;
  return {
    factory: (model) => {
      isUsed = true;
      return create(model);
    },
    isUsed: () => isUsed,
  };
}

/** No client has it. */
const PROBE = 'vestibule-probe';

/** Makes sure that the provider was created with the joined configuration: without it, it would keep its own data. */
async function requireUse({ Client }: Provider, { isUsed }: WatchedFactory): Promise<void> {
  await Client.find(PROBE);
  if (!isUsed())
    throw new JoinError([
      'createProvider: must create the provider with the configuration that it is given: `(configuration) => new Provider(issuer, configuration)`.',
    ]);
}
