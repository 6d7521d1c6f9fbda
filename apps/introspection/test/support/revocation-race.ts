import type { TokenEvent } from '@vestibule/tokens/testing';
import type { CachedInstance } from './cached-instance.js';
import { call, INACTIVE } from './introspection-call.js';
import {
  aSeparateToken,
  REVOCATION_PATHS,
  type RevocationDeps,
  type SeparateToken,
} from './revocation-paths.js';

/** Options of a race. */
export interface RaceOptions {
  readonly fixture: RevocationDeps;
  readonly instances: readonly CachedInstance[];
  readonly tokens: number;
  /** Number of callers per instance, each of which sends one request after the other. */
  readonly callers: number;
  /** Called before each revocation to inject a fault. */
  readonly fault?: (revocation: number) => Promise<unknown>;
}

const now = () => performance.now();
const HOUR_MS = 3_600_000;
/** Number of responses before the first revocation, and between two. */
const WARM_UP = 400;
const BETWEEN = 25;

/**
 * Lets callers introspect random tokens without a pause, while the tokens are revoked one after the other by all paths.
 * Returns all requests and revocations with their times on the clock of the process.
 */
export async function raceRevocations(options: RaceOptions): Promise<readonly TokenEvent[]> {
  const { fixture, instances, callers, fault } = options;
  const history: TokenEvent[] = [];
  const tokens = await issueTokens(options, history);
  let isOver = false;
  const caller = async ({ app }: CachedInstance, node: string) => {
    while (!isOver) {
      const separate = tokens[Math.floor(Math.random() * tokens.length)];
      if (separate === undefined) return;
      const begunAtMs = now();
      const { status, body } = await call(app, { token: separate.token });
      const response = status !== 200 ? 'fault' : body === INACTIVE.body ? 'inactive' : 'active';
      history.push({
        kind: 'introspected',
        token: separate.name,
        node,
        begunAtMs,
        doneAtMs: now(),
        response,
      });
      await new Promise(setImmediate);
    }
  };
  const asking = instances.flatMap((instance, index) =>
    Array.from({ length: callers }, () => caller(instance, `node-${index}`)),
  );
  const awaitResponses = async (count: number) => {
    const wanted = history.length + count;
    while (history.length < wanted) await new Promise(setImmediate);
  };
  await awaitResponses(WARM_UP);
  for (const [index, separate] of tokens.entries()) {
    await fault?.(index);
    await awaitResponses(BETWEEN);
    const paths = REVOCATION_PATHS.filter(({ formats }) => formats.includes(separate.format));
    const path = paths[index % paths.length];
    const begunAtMs = now();
    await path?.revoke(fixture, separate);
    history.push({ kind: 'revoked', token: separate.name, begunAtMs, doneAtMs: now() });
  }
  // Longer than a response may still be wrong.
  const end = now() + 1_500;
  while (now() < end) await new Promise(setImmediate);
  isOver = true;
  await Promise.all(asking);
  return history;
}

async function issueTokens(
  { fixture, tokens }: RaceOptions,
  history: TokenEvent[],
): Promise<readonly SeparateToken[]> {
  const issued: SeparateToken[] = [];
  for (let index = 0; index < tokens; index += 1) {
    const separate = await aSeparateToken(fixture, `lone-${index}`, index % 3 === 0 ? 'jwt' : 'identifier');
    issued.push(separate);
    history.push({ kind: 'issued', token: separate.name, doneAtMs: now(), expiresAtMs: now() + HOUR_MS });
  }
  return issued;
}
