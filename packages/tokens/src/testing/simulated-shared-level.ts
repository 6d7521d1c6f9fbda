import type { Digest } from '@vestibule/crypto/data-keys';
import type { AccessToken } from '../access-token.js';
import { digestTag } from '../cache/cache-tag.js';
import type { SharedTokenLevel, SharedTokenState } from '../cache/shared-token-level.js';

interface Entry {
  readonly token?: AccessToken;
  readonly readAtMs: number;
  readonly untilMs: number;
}

/** How a command ends: executed, lost on its way, or executed with its response lost. */
export type CommandFate = 'done' | 'lost' | 'unanswered';

/** The connection of one process, whose commands are executed in order when the test says so. */
export interface SimulatedSharedLevel extends SharedTokenLevel {
  /** Executes at most `count` commands. */
  step(count: number, fate: CommandFate): void;
  readonly waiting: number;
}

/** The server that several processes share. */
export interface SimulatedSharedServer {
  connect(): SimulatedSharedLevel;
  /** Stores a state, like another process with another clock. */
  plant(digest: Digest, token: AccessToken, readAtMs: number): void;
  /** Deletes everything. */
  flush(): void;
}

const TTL_MS = 5_000;
const UNAVAILABLE: SharedTokenState = { outcome: 'unavailable' };

/** Creates an empty server. @param now the wall clock */
export function simulatedSharedServer(now: () => number): SimulatedSharedServer {
  const entries = new Map<string, Entry>();
  const live = (name: string) => {
    const entry = entries.get(name);
    return entry !== undefined && now() < entry.untilMs ? entry : undefined;
  };
  const read = (name: string): SharedTokenState => {
    const entry = live(name);
    if (entry === undefined) return { outcome: 'miss' };
    return entry.token === undefined
      ? { outcome: 'tombstone' }
      : { outcome: 'live', token: entry.token, readAtMs: entry.readAtMs };
  };
  const fill = (name: string, token: AccessToken, readAtMs: number) => {
    const untilMs = Math.min(readAtMs + TTL_MS, token.expiresAt * 1000);
    if (live(name) === undefined && now() < untilMs) entries.set(name, { token, readAtMs, untilMs });
  };
  const invalidate = (digests: readonly Digest[]) => {
    const untilMs = now() + 2 * TTL_MS;
    for (const digest of digests) entries.set(digestTag(digest), { readAtMs: now(), untilMs });
  };

  const connect = (): SimulatedSharedLevel => {
    let commands: ((fate: CommandFate) => void)[] = [];
    const command = <Reply>(run: () => Reply, unavailable: Reply) =>
      new Promise<Reply>((resolve) => {
        commands.push((fate) => {
          const reply = fate === 'lost' ? unavailable : run();
          resolve(fate === 'done' ? reply : unavailable);
        });
      });
    return {
      get: (digest) => command(() => read(digestTag(digest)), UNAVAILABLE),
      fill: (digest, token, readAtMs) => command(() => fill(digestTag(digest), token, readAtMs), undefined),
      invalidate: (digests) =>
        command<'invalidated' | 'unavailable'>(() => {
          invalidate(digests);
          return 'invalidated';
        }, 'unavailable'),
      step: (count, fate) => {
        const now = commands.slice(0, count);
        commands = commands.slice(count);
        for (const run of now) run(fate);
      },
      get waiting() {
        return commands.length;
      },
    };
  };
  return {
    connect,
    plant: (digest, token, readAtMs) =>
      entries.set(digestTag(digest), { token, readAtMs, untilMs: now() + TTL_MS }),
    flush: () => entries.clear(),
  };
}
