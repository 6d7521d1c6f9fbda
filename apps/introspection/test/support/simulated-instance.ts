import { nodeScheduler } from '@vestibule/protocol/runtime';
import { simulatedStream } from '@vestibule/tokens/testing';
import { onTestFinished } from 'vitest';
import { buildApp, type ChangeStreamsOptions, changeStreams } from '../../src/index.js';
import { aTestCache } from './test-cache.js';
import type { TestService } from './test-service.js';

/** Creates an instance with a cache whose invalidation events arrive, and whose time passes, when the test says so. */
export async function aSimulatedInstance(
  { database, deps, keys }: TestService,
  limits: Partial<ChangeStreamsOptions> = {},
) {
  let nowMs = 0;
  const monotonic = () => nowMs;
  const stream = simulatedStream(monotonic);
  const { digester, clock } = deps;
  const { states, watch, tagStream } = aTestCache({
    clock: { ...clock, errorMs: () => 0 },
    database,
    digester,
    keys: keys.keyRing,
    refreshDigestKeys: async () => keys.dataKeys.digestKeyChanges(),
    stream,
    monotonic,
  });
  const changes = changeStreams({
    tagStream,
    states,
    scheduler: nodeScheduler,
    random: () => 1,
    ...limits,
  });
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
