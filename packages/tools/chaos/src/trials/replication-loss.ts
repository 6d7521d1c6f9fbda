import { gapWrites } from '../evaluation/gap-writes.js';
import type { History, Outcome } from '../load/history.js';
import type { IsolatedToken } from '../load/isolated-token.js';
import { REVOCATION_PATHS } from '../load/revocation-paths.js';
import type { Held } from '../processes/replicated-postgres.js';
import type { Cluster } from '../test-environment/cluster.js';
import { until } from '../until.js';
import { auditTokens, endedTokens } from './audit.js';
import type { Recording } from './fault-trial.js';

/** What a promoted standby had not received, and the consequences. */
export interface ReplicationLoss {
  readonly remarks: readonly string[];
  /** Deviations from the guide, as sentences. */
  readonly problems: readonly string[];
}

/** The time limit for a second revocation to take effect everywhere without a fault. */
const STALE_MS = 1_000;

/** The interval of which a promoted standby may miss writes, on the clock of the history. */
export interface ReplicationGap extends Held {
  /** The time of the promotion. */
  readonly endMs: number;
}

/**
 * Checks the tokens that were written while the promoted standby received nothing: undone revocations, used tokens that
 * can be used once more, and unknown tokens. Then revokes the first of these again.
 */
export async function measureLoss(
  cluster: Cluster,
  { history, tokens }: Recording,
  { receivedUntilMs, heldAtMs, endMs }: ReplicationGap,
): Promise<ReplicationLoss> {
  const { events } = history;
  const writes = gapWrites(events, { beginMs: receivedUntilMs, endMs });
  const perhapsReceived = gapWrites(events, { beginMs: receivedUntilMs, endMs: heldAtMs }).all;
  const ended = endedTokens(events);
  const concerned = tokens.filter(({ name }) => writes.all.has(name));
  const audited = (await auditTokens(cluster.instances, history, concerned)).filter(
    ({ hasExpired }) => !hasExpired,
  );
  const tokensWith = (outcome: Outcome, isMeant: (name: string) => boolean) => [
    ...new Set(
      audited
        .filter((each) => each.outcome === outcome && isMeant(each.token.name))
        .map(({ token }) => token),
    ),
  ];
  const undone = tokensWith('active', (name) => writes.revoked.has(name));
  const unused = tokensWith('active', (name) => writes.used.has(name));
  const unknown = tokensWith('inactive', (name) => writes.issued.has(name) && !ended.has(name));
  const dead = tokensWith(
    'inactive',
    (name) => writes.revoked.has(name) && !writes.issued.has(name) && !perhapsReceived.has(name),
  );
  const usedAgain = await useTwice(cluster, history, unused);
  const revokedAgain = await revokeAgain(cluster, history, undone);
  const problems: readonly (readonly [boolean, string])[] = [
    [undone.length === 0 || unknown.length === 0, 'nothing was lost, so the trial shows nothing'],
    [dead.length > 0, `${dead.length} tokens are inactive whose revocation was not received`],
    [usedAgain < unused.length, `of ${unused.length} used tokens ${usedAgain} worked exactly once more`],
    [revokedAgain < undone.length, `of ${undone.length} tokens ${revokedAgain} could be revoked again`],
  ];
  return {
    remarks: [
      `lost: ${undone.length} revocations, ${unused.length} uses and ${unknown.length} tokens that were acknowledged after the standbys had been cut off, none before`,
      'repeated revocations held',
    ],
    problems: problems.flatMap(([isSo, sentence]) => (isSo ? [sentence] : [])),
  };
}

/** Uses tokens up twice. @returns the number of tokens that were active the first time only */
async function useTwice(
  { instances: [one, other] }: Cluster,
  history: History,
  tokens: readonly IsolatedToken[],
): Promise<number> {
  let right = 0;
  for (const token of tokens) {
    const outcomes = [
      await history.introspect(one, token, true),
      await history.introspect(other, token, true),
    ];
    if (outcomes.join() === 'active,inactive') right += 1;
  }
  return right;
}

/** Revokes tokens. @returns the number of tokens that are inactive on every instance afterwards */
async function revokeAgain(
  { installation, instances }: Cluster,
  history: History,
  tokens: readonly IsolatedToken[],
): Promise<number> {
  let right = 0;
  for (const token of tokens) {
    await history.revoke(token, async () => REVOCATION_PATHS[0]?.revoke(installation, token));
    const isInactive = async () =>
      (await Promise.all(instances.map((instance) => history.introspect(instance, token)))).every(
        (outcome) => outcome === 'inactive',
      );
    const died = until(isInactive, STALE_MS).then(
      () => 1,
      () => 0,
    );
    right += await died;
  }
  return right;
}
