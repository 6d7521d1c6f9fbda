import { hash } from 'node:crypto';
import type { AudienceNames } from '@vestibule/clients/resource-servers';
import type { Digest, Digester } from '@vestibule/crypto/data-keys';
import type { KeyRing } from '@vestibule/crypto/signing-keys';
import {
  type ClientId,
  type Clock,
  type EpochSeconds,
  epochSeconds,
  type Issuer,
  nowSeconds,
} from '@vestibule/protocol';
import type { AccessToken } from '../access-token.js';
import { digestTag } from '../cache/cache-tag.js';
import { cachedTokenStates, type TokenCache } from '../cache/cached-token-states.js';
import type { StoreClock } from '../cache/store-clock.js';
import type { TokenEvent } from './history.js';
import { type SimulatedSharedLevel, simulatedSharedServer } from './simulated-shared-level.js';
import { type SimulatedStoreView, simulatedStore } from './simulated-store.js';
import { type SimulatedStream, simulatedStream } from './simulated-stream.js';
import { simulatedTime } from './simulated-time.js';

/** One instance, with everything that a test can delay. */
export interface SimulatedInstance {
  readonly name: string;
  readonly cache: TokenCache;
  readonly stream: SimulatedStream;
  readonly shared: SimulatedSharedLevel | undefined;
  readonly store: SimulatedStoreView;
}

/** Deviations from the default cluster. */
export interface ClusterDeviation {
  readonly withoutShared?: boolean;
  readonly entries?: number;
  /** How far the clock of each instance is ahead of the store's, in milliseconds. Default 0. */
  readonly aheadMs?: readonly [number, number];
  /** Whether the second instance has just been launched, so that its stream has not started yet. */
  readonly isLaunching?: boolean;
}

const CALLER: AudienceNames = ['rs' as ClientId];

/**
 * Creates two instances on one store and one shared level, which only move when the test says so, with their history.
 */
export function simulatedCluster({
  withoutShared = false,
  entries = 1_000,
  aheadMs = [0, 0],
  isLaunching = false,
}: ClusterDeviation = {}) {
  const time = simulatedTime();
  const history: TokenEvent[] = [];
  const sharedServer = simulatedSharedServer(time.clock.nowMs);
  const store = simulatedStore((name) => {
    for (const { stream } of instances) stream.commit({ kind: 'tokens', digests: [name] });
  });
  const instances = ['a', 'b'].map((name, index): SimulatedInstance => {
    const stream = simulatedStream(time.monotonic, !(isLaunching && index === 1));
    const view = store.view();
    const shared = withoutShared ? undefined : sharedServer.connect();
    const cache = cachedTokenStates({
      ...time,
      clock: clockAhead(time.clock, aheadMs[index] ?? 0, Math.max(...aheadMs.map(Math.abs))),
      issuer: 'https://as.example' as Issuer,
      keys: NO_KEYS,
      digester: DIGESTER,
      refreshDigestKeys: async () => 0,
      accessTokens: view.accessTokens,
      revocations: { statuses: async () => [] },
      stream,
      ...(shared && { shared }),
      sharedTtlMs: 5_000,
      limits: { entries, bytes: 1e9 },
      maxQueries: 100,
    });
    return { name, cache, stream, shared, store: view };
  });
  const nowMs = time.monotonic;

  const issue = (
    token: string,
    lifetimeMs = 3_600_000,
    client: Pick<AccessToken, 'clientExpiresAt'> = {},
  ) => {
    const issuedAt = nowSeconds(time.clock);
    const expiresAt = epochSeconds((time.clock.nowMs() + lifetimeMs) / 1000);
    const state: AccessToken = {
      clientId: 'client' as ClientId,
      scope: 'read',
      audience: [],
      issuer: 'https://as.example',
      issuedAt,
      expiresAt,
      ...client,
    };
    store.insert(digestOf(token), state);
    history.push({ kind: 'issued', token, doneAtMs: nowMs(), expiresAtMs: nowMs() + lifetimeMs });
    return state;
  };
  /** Introspects a token, and records the response. */
  const introspect = async ({ name, cache }: SimulatedInstance, token: string) => {
    const begunAtMs = nowMs();
    const response = await responseOf(cache, textOf(token), nowSeconds(time.clock));
    history.push({ kind: 'introspected', token, node: name, begunAtMs, doneAtMs: nowMs(), response });
    return response;
  };
  const claim = async ({ name, cache }: SimulatedInstance, token: string) => {
    const begunAtMs = nowMs();
    const { found } = await cache.claim(textOf(token), CALLER, nowSeconds(time.clock));
    const response = found ? 'active' : 'inactive';
    history.push({
      kind: 'introspected',
      token,
      node: name,
      begunAtMs,
      doneAtMs: nowMs(),
      response,
      claims: true,
    });
    return response;
  };
  /** Revokes a token in the store; with `by`, the instance acknowledges it. */
  const revoke = async (token: string, by?: SimulatedInstance) => {
    const begunAtMs = nowMs();
    if (!store.revoke(digestTag(digestOf(token)))) return;
    await by?.cache.settle();
    const node = by && { node: by.name };
    history.push({ kind: 'revoked', token, begunAtMs, doneAtMs: nowMs(), ...node });
  };
  const [a, b] = instances;
  if (a === undefined || b === undefined) throw new TypeError('there are two instances');
  return { time, history, sharedServer, instances, a, b, issue, introspect, claim, revoke, digestOf };
}

/** A cluster with all its parts. */
export type SimulatedCluster = ReturnType<typeof simulatedCluster>;

/** Runs everything that only waits for its turn of the event loop. */
export async function turnsPass(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
}

/** Completes all pending work until there is none left. */
export async function calm({ instances }: Pick<SimulatedCluster, 'instances'>): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    for (const { stream, shared, store } of instances) {
      stream.deliver(stream.waiting);
      shared?.step(shared.waiting, 'done');
      while (store.waiting > 0) store.end('late');
    }
    await turnsPass();
    const isBusy = instances.some(
      ({ stream, shared, store }) => stream.waiting + (shared?.waiting ?? 0) + store.waiting > 0,
    );
    if (!isBusy) return;
  }
  throw new Error('there is always pending work');
}

/** Creates a clock with an error and an uncertainty. */
export function clockAhead({ nowMs }: Clock, byMs: number, errorMs: number): StoreClock {
  return { nowMs: () => nowMs() + byMs, errorMs: () => errorMs };
}

async function responseOf(
  cache: TokenCache,
  text: string,
  now: EpochSeconds,
): Promise<'active' | 'inactive' | 'fault'> {
  try {
    const found = cache.cached(text) ?? (await cache.read(text));
    if (!found.found) return 'inactive';
    const { clientExpiresAt = Number.POSITIVE_INFINITY } = found.state.token;
    return now < clientExpiresAt ? 'active' : 'inactive';
  } catch {
    return 'fault';
  }
}

function textOf(token: string): string {
  return token.padEnd(43, '0');
}

function digestOf(token: string): Digest {
  return DIGESTER.digest('access-token', textOf(token));
}

const DIGESTER: Digester = {
  digest: (_kind, value) => digestText(value),
  availableDigests: (_kind, value) => [digestText(value)],
  find: (look) => look(DIGESTER.availableDigests),
  matches: () => false,
  matchesAvailable: () => false,
};

function digestText(value: string): Digest {
  const digest: Uint8Array = hash('sha256', value, 'buffer');
  return digest as Digest;
}

const NO_KEYS: Pick<KeyRing, 'verificationKeys' | 'refresh'> = {
  verificationKeys: async () => [],
  refresh: async () => undefined,
};
