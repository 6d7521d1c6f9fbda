import { setTimeout as pause } from 'node:timers/promises';
import { openGateway } from '../fleet/gateway.js';
import { until } from '../until.js';
import { authorizationRequest, type DocumentUses, type UseOutcome } from './document-uses.js';
import { DOCUMENT_SECONDS, type DocumentWorld } from './document-world.js';

/** How long a document surely stays usable, wherever in a second it was sent; a kill can come later on a busy machine. */
const KEPT_MS = (DOCUMENT_SECONDS.lifetime + DOCUMENT_SECONDS.stale - 1) * 1_000;
const REFUSALS: readonly UseOutcome[] = ['refused', 'busy'];

/** What happened when processes were killed that were fetching documents. */
export interface KilledHolders {
  readonly killsAtMs: readonly number[];
  /** From a kill until another instance had fetched the document, for each kill. */
  readonly takeoversMs: readonly number[];
  /** Stored documents that could not be used after a kill. */
  readonly refused: number;
}

/**
 * Kills the third instance while it fetches an unknown document, and one that is to be validated again. Another instance
 * must fetch both, and the stored one stays usable.
 */
export async function killHolders(
  { good, victim, authorization: { gateway } }: DocumentWorld,
  { use }: DocumentUses,
  kills: number,
): Promise<KilledHolders> {
  const killsAtMs: number[] = [];
  const outcomes: Promise<{ readonly isRefused: boolean; readonly takeoverMs: number }>[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const [unknown, stored] = [good.url(`/unknown-${kill}`), good.url(`/stored-${kill}`)];
    await use(gateway, stored, false);
    const storedAtMs = performance.now();
    await pause((DOCUMENT_SECONDS.lifetime + 1) * 1_000);
    const held = [unknown, stored].map(good.holdNext);
    const direct = await openGateway([victim]);
    const cut = [unknown, stored].map((url) => direct.send(authorizationRequest(url)).catch(() => undefined));
    await Promise.all(held);
    victim.process().kill('SIGKILL');
    const atMs = performance.now();
    killsAtMs.push(atMs);
    await Promise.all(cut);
    await direct.close();
    outcomes.push(takeOver(unknown, stored, { atMs, isInTime: atMs - storedAtMs < KEPT_MS }));
    await victim.restart();
  }
  const seen = await Promise.all(outcomes);
  return {
    killsAtMs,
    takeoversMs: seen.map(({ takeoverMs }) => takeoverMs),
    refused: seen.filter(({ isRefused }) => isRefused).length,
  };

  async function takeOver(
    unknown: string,
    stored: string,
    { atMs, isInTime }: { readonly atMs: number; readonly isInTime: boolean },
  ) {
    const [isRefused] = await Promise.all([
      use(gateway, stored, false).then((outcome) => isInTime && REFUSALS.includes(outcome)),
      until(async () => (await use(gateway, unknown, false)) === 'accepted'),
    ]);
    return { isRefused, takeoverMs: performance.now() - atMs };
  }
}
