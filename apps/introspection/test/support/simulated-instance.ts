import { nodeScheduler } from '@vestibule/protocol/runtime';
import { cachedTokenStates, watchClients } from '@vestibule/tokens/cache';
import { tagStream } from '@vestibule/tokens/tag-stream';
import { simulatedStream } from '@vestibule/tokens/testing';
import { onTestFinished } from 'vitest';
import { buildApp, type ChangeStreamsOptions, changeStreams } from '../../src/index.js';
import { ISSUER, type TestService } from './test-service.js';

/** Creates an instance with a cache whose invalidation events arrive, and whose time passes, when the test says so. */
export async function aSimulatedInstance(
  { database, deps, keys }: TestService,
  limits: Partial<ChangeStreamsOptions> = {},
) {
  let nowMs = 0;
  const monotonic = () => nowMs;
  const stream = simulatedStream(monotonic);
  const { digester, clock } = deps;
  const states = cachedTokenStates({
    clock: { ...clock, errorMs: () => 0 },
    issuer: ISSUER,
    keys: keys.keyRing,
    digester,
    refreshDigestKeys: async () => keys.dataKeys.digestKeyChanges(),
    accessTokens: database.accessTokens,
    revocations: database.revocations,
    stream,
    monotonic,
    scheduler: nodeScheduler,
    sharedTtlMs: 5_000,
    limits: { entries: 1_000, bytes: 1e6 },
    maxQueries: 5,
  });
  const changes = changeStreams({
    tagStream: tagStream({ stream, digester, monotonic }),
    states,
    scheduler: nodeScheduler,
    random: () => 1,
    ...limits,
  });
  const watch = watchClients({ log: states.log, monotonic, scheduler: nodeScheduler });
  const app = buildApp({ ...deps, states, watch, changes }, { logger: false });
  onTestFinished(() => app.close());
  /** Delivers what was committed, and what proves that no more was. */
  const advance = () => {
    stream.beat();
    stream.deliver(Number.POSITIVE_INFINITY);
  };
  advance();
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    app,
    changes,
    stream,
    advance,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}
