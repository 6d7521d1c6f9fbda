import { setTimeout as pause } from 'node:timers/promises';
import { type Closers, closing } from '@vestibule/local-services';
import { floodUnknown } from '../documents/document-flood.js';
import type { DocumentHost } from '../documents/document-host.js';
import { type DocumentUses, keepUsing, openDocumentUses } from '../documents/document-uses.js';
import { DOCUMENT_SECONDS, type DocumentWorld, openDocumentWorld } from '../documents/document-world.js';
import { killHolders } from '../documents/killed-holders.js';
import { startOrdinaryLoad } from '../documents/ordinary-load.js';
import { sampleMemory } from '../documents/sampled-memory.js';
import type { Cluster } from '../test-environment/cluster.js';
import { until } from '../until.js';
import { documentResult } from './document-result.js';
import { inCluster } from './in-cluster.js';
import type { Trial, TrialResult } from './trial.js';

/** How long hosts fail, and how often an instance is killed meanwhile. */
export interface HostFailures {
  readonly seconds: number;
  readonly kills: number;
}

/** Hosts of client ID metadata documents fail while services are under load. */
export const DOCUMENT_HOSTS: Trial = {
  id: 'document-hosts',
  title:
    'hosts of client ID metadata documents hang, drip, lie about lengths, respond with errors and are killed; others withdraw their documents; an instance that fetches is killed (SIGKILL)',
  run: (testEnvironment, { maxSeconds }) =>
    inCluster(testEnvironment, {
      run: (cluster) =>
        failHosts(
          cluster,
          Number.isFinite(maxSeconds) ? { seconds: maxSeconds, kills: 1 } : { seconds: 24, kills: 3 },
        ),
    }),
};

const DOCUMENTS_OF_A_HOST = 4;
const USED_EVERY_MS = 800;
const CALM_MS = 1_500;
/** Until processes are as fast and as large as the load makes them without a fault. */
const WARM_UP_MS = 8_000;

/** Lets hosts of documents fail under load, and evaluates every response. */
export function failHosts(cluster: Cluster, failures: HostFailures): Promise<TrialResult> {
  return closing(async (toEnd) => {
    const world = await openDocumentWorld(cluster, toEnd);
    await warmUp(cluster, world, toEnd);
    const load = startOrdinaryLoad(cluster, world, toEnd);
    const [documents, flood] = [openDocumentUses(), openDocumentUses()];
    const stopUsing = useAll(world, documents);
    toEnd.add(stopUsing);
    await pause(CALM_MS);
    const memory = await sampleMemory(world.authorization.instances);
    toEnd.add(memory.stop);
    const stopFlood = floodUnknown(flood, world.authorization.gateway, {
      hosts: [...world.failing.values()],
      name: 'flood',
    });
    toEnd.add(stopFlood);
    const [killed, { failingAtMs, withdrawnAtMs }] = await Promise.all([
      killHolders(world, documents, failures.kills),
      failFor(world, failures.seconds),
    ]);
    await stopFlood();
    const recoveryMs = await recover(world, documents);
    await pause(CALM_MS);
    await stopUsing();
    await memory.stop();
    return documentResult({
      world,
      load,
      end: await load.stop(),
      documents,
      flood,
      killed,
      withdrawn: documentsOf(world.withdrawing).map((url) => ({ url, doneAtMs: withdrawnAtMs })),
      spoiled: documentsOf(world.failing.get('short')).map((url) => ({ url, doneAtMs: failingAtMs })),
      grownBytes: memory.grownBytes(),
      recoveryMs,
      isOutlasted: failures.seconds > DOCUMENT_SECONDS.lifetime + DOCUMENT_SECONDS.stale + 2,
    });
  });
}

/** Puts all load on the services while no host fails. */
async function warmUp(cluster: Cluster, world: DocumentWorld, toEnd: Closers): Promise<void> {
  const load = startOrdinaryLoad(cluster, world, toEnd);
  const uses = openDocumentUses();
  const stopUsing = useAll(world, uses);
  toEnd.add(stopUsing);
  const hosts = [...world.failing.values()];
  const stopFlood = floodUnknown(uses, world.authorization.gateway, { hosts, name: 'before' });
  toEnd.add(stopFlood);
  await pause(WARM_UP_MS);
  await Promise.all([stopFlood(), stopUsing(), load.stop()]);
}

/** Names the documents of every host in requests, until stopped. Those of failing hosts may take their time. */
function useAll(
  { good, failing, withdrawing, authorization: { gateway } }: DocumentWorld,
  uses: DocumentUses,
) {
  const keep = (host: DocumentHost, counts: boolean) =>
    keepUsing(uses, gateway, { urls: documentsOf(host), everyMs: USED_EVERY_MS, counts });
  const stops = [keep(good, true), ...[...failing.values(), withdrawing].map((host) => keep(host, false))];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/**
 * Lets each host fail in its way, and withdraws documents. In the second half the host that withdrew them hangs, which must
 * not make them valid again.
 * @returns when hosts began to fail, and when the documents were withdrawn
 */
async function failFor({ failing, withdrawing }: DocumentWorld, seconds: number) {
  const failingAtMs = performance.now();
  for (const [fault, host] of failing) await host.set(fault);
  await withdrawing.set('gone');
  const withdrawnAtMs = performance.now();
  await pause(seconds * 500);
  await withdrawing.set('hang');
  await pause(seconds * 500);
  return { failingAtMs, withdrawnAtMs };
}

/** Lets every host respond again. @returns the time until every document can be used, in milliseconds */
async function recover(
  { failing, withdrawing, authorization: { gateway } }: DocumentWorld,
  { use }: DocumentUses,
): Promise<number> {
  const hosts = [...failing.values(), withdrawing];
  for (const host of hosts) await host.set(undefined);
  const begunAtMs = performance.now();
  await Promise.all(
    hosts
      .flatMap(documentsOf)
      .map((url) => until(async () => (await use(gateway, url, false)) === 'accepted')),
  );
  return performance.now() - begunAtMs;
}

function documentsOf(host: DocumentHost | undefined): readonly string[] {
  return host === undefined
    ? []
    : Array.from({ length: DOCUMENTS_OF_A_HOST }, (_, index) => host.url(`/document-${index}`));
}
