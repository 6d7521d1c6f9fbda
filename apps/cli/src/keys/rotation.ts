import { setTimeout as sleep } from 'node:timers/promises';
import { DATA_KEY_SETTLE_MS } from '@vestibule/crypto/data-keys';
import {
  isDataRing,
  type KeyChanges,
  keyPairPurpose,
  keyRecord,
  type ListedKey,
  listKeys,
  type NewKey,
  type Ring,
} from '@vestibule/crypto/key-rings';
import { type Clock, systemClock } from '@vestibule/protocol';
import { misused, notFound } from '../frame/command-failure.js';
import type { Terminal } from '../frame/terminal.js';
import type { OpenKeysInstallation } from '../installation/with-store.js';
import { publicationSeconds } from './key-copies.js';

/** Options of a rotation. */
export interface WantedRotation {
  readonly ring: Ring;
  /** Only keys of this algorithm; default: all active keys. */
  readonly algorithm: string | undefined;
  /** After a compromise: do not wait, and use new keys, because pending ones may be compromised too. */
  readonly isUrgent: boolean;
}

/** Keys that replace the active ones. */
export interface Successors {
  readonly keys: readonly ListedKey[];
  /** Other keys that may be compromised too: published, pending or retired. */
  readonly exposed: readonly ListedKey[];
  /** Time from which they may be used, in milliseconds since the Unix epoch. */
  readonly usableAtMs: number;
}

/**
 * Returns a pending key for each active key: the one from an interrupted rotation, else a new one.
 * @throws CommandFailure if the ring has no matching active key, or cannot be rotated in this way
 */
export async function prepareSuccessors(
  installation: OpenKeysInstallation,
  changes: KeyChanges,
  wanted: WantedRotation,
): Promise<Successors> {
  refuseUnsafe(wanted);
  // Validate the settings before creating keys.
  const waitMs = wanted.isUrgent ? 0 : readersWaitMs(installation, wanted.ring);
  const listed = (await listKeys(installation.store.database, systemClock)).filter((key) =>
    isWanted(key, wanted),
  );
  const inUse = listed.filter(({ key }) => key.state === 'active');
  if (inUse.length === 0) throw notFound('No active key matches: see vestibule keys list.');
  const pending = wanted.isUrgent ? [] : listed.filter(({ key }) => key.state === 'pending').reverse();
  const keys: ListedKey[] = [];
  for (const key of inUse)
    keys.push(pending.find((other) => canSucceed(other, key)) ?? (await changes.add(newKeyFor(key))));
  const exposed = wanted.isUrgent ? listed.filter(({ key }) => key.state !== 'active') : [];
  return { keys, exposed, usableAtMs: Math.max(...keys.map((key) => createdAtMs(key) + waitMs)) };
}

/** Waits until a time and shows the progress. */
export async function waitUntil(atMs: number, clock: Clock, terminal: Terminal): Promise<void> {
  const startMs = clock.nowMs();
  const progress = terminal.progress('Waiting (seconds)', Math.ceil((atMs - startMs) / 1000));
  try {
    for (let nowMs = startMs; nowMs < atMs; nowMs = clock.nowMs()) {
      progress.report(Math.floor((nowMs - startMs) / 1000));
      // Short steps, because the clock may be set and the machine may sleep.
      await sleep(Math.min(atMs - nowMs, 1000));
    }
  } finally {
    progress.end();
  }
}

function refuseUnsafe({ ring, algorithm, isUrgent }: WantedRotation): void {
  if (ring === 'federation')
    throw misused(
      'Federation keys cannot be rotated in one step, because the superiors have to list the new key first: use vestibule keys generate and keys activate.',
    );
  if (!isDataRing(ring)) return;
  if (algorithm !== undefined) throw misused('--algorithm: data keys have a fixed algorithm.');
  if (isUrgent)
    throw misused(
      '--now: data keys become active a minute after they were created, when every process has them; leave out --now.',
    );
}

function isWanted(listed: ListedKey, { ring, algorithm }: WantedRotation): boolean {
  const record = keyRecord(listed);
  return record.ring === ring && (algorithm === undefined || record.algorithm === algorithm);
}

/** A digest key that is kept until it is retired is pending too, but older than the active one. */
function canSucceed(pending: ListedKey, inUse: ListedKey): boolean {
  return (
    keyRecord(pending).algorithm === keyRecord(inUse).algorithm && createdAtMs(pending) >= createdAtMs(inUse)
  );
}

function newKeyFor({ kind, key }: ListedKey): NewKey {
  if (kind === 'data') return { kind, purpose: key.purpose };
  const purpose = keyPairPurpose(key.use === 'enc' ? 'encryption' : key.keySet, key.algorithm);
  if (purpose === undefined)
    throw misused(`Keys for the algorithm ${key.algorithm} are no longer supported.`);
  return { kind, purpose };
}

function readersWaitMs({ environment }: OpenKeysInstallation, ring: Ring): number {
  return isDataRing(ring) ? DATA_KEY_SETTLE_MS : publicationSeconds(environment, 'provider') * 1000;
}

function createdAtMs({ kind, key }: ListedKey): number {
  return kind === 'data' ? key.createdAtMs : key.createdAt * 1000;
}
