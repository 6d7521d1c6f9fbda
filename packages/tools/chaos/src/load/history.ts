import type { TokenEvent } from '@vestibule/tokens/testing';
import type { Api } from '../test-environment/api.js';
import type { Instance } from '../test-environment/cluster.js';
import type { IsolatedToken } from './isolated-token.js';

/** The result of a request: a response, a fault of the service, or no response. */
export type Outcome = 'active' | 'inactive' | 'fault' | 'unanswered';

/** Whether the service responded with a token state. */
export function isResponse(outcome: Outcome): boolean {
  return outcome === 'active' || outcome === 'inactive';
}

/** What checks tokens: an instance, or the API behind them. */
export type Checker = Pick<Instance | Api, 'node' | 'caller'>;

/** Every operation on tokens, with times on the monotonic clock of this process. */
export interface History {
  readonly events: readonly TokenEvent[];
  /** The duration of each request, in milliseconds. */
  readonly latenciesMs: readonly number[];
  /** The number of requests with that outcome. */
  count(outcome: Outcome): number;
  issued(token: IsolatedToken): void;
  /** Runs a revocation and records it, also when it is unknown whether it was carried out. Rejects when `run` does. */
  revoke(token: IsolatedToken, run: () => Promise<unknown>): Promise<void>;
  /** Records a revocation that may have been carried out since. */
  perhapsRevoked(token: IsolatedToken, begunAtMs: number): void;
  /** Has a token checked by an instance or an API, or uses it up, and records the response. Never rejects. */
  introspect(node: Checker, token: IsolatedToken, claims?: boolean): Promise<Outcome>;
  /** Waits for the requests that are under way, also those that nothing else waits for. */
  settled(): Promise<void>;
}

const PATH = '/token/introspect';
const CLOCKS_APART_MS = 10;
const now = () => performance.now();

/** An empty history. */
export function openHistory(): History {
  const events: TokenEvent[] = [];
  const latenciesMs: number[] = [];
  const counts: Record<Outcome, number> = { active: 0, inactive: 0, fault: 0, unanswered: 0 };
  const perhapsRevoked = ({ name }: IsolatedToken, begunAtMs: number) => {
    events.push({ kind: 'revoked', token: name, begunAtMs, doneAtMs: Number.POSITIVE_INFINITY });
  };
  const underWay = new Set<Promise<Outcome>>();
  const introspect = async (instance: Checker, token: IsolatedToken, claims: boolean): Promise<Outcome> => {
    const begunAtMs = now();
    const outcome = await outcomeOf(instance, token, claims);
    const doneAtMs = now();
    latenciesMs.push(doneAtMs - begunAtMs);
    counts[outcome] += 1;
    const response = outcome === 'unanswered' ? 'fault' : outcome;
    const { node } = instance;
    events.push({ kind: 'introspected', token: token.name, node, begunAtMs, doneAtMs, response, claims });
    // The token may have been used up even without a response.
    if (claims && response === 'fault') perhapsRevoked(token, begunAtMs);
    return outcome;
  };
  return {
    events,
    latenciesMs,
    count: (outcome) => counts[outcome],
    issued: ({ name, expiresAtMs }) => {
      events.push({
        kind: 'issued',
        token: name,
        doneAtMs: now(),
        // The clocks differ by some milliseconds.
        expiresAtMs: expiresAtMs - Date.now() + now() - CLOCKS_APART_MS,
      });
    },
    revoke: async (token, run) => {
      const begunAtMs = now();
      try {
        await run();
        events.push({ kind: 'revoked', token: token.name, begunAtMs, doneAtMs: now() });
      } catch (error) {
        perhapsRevoked(token, begunAtMs);
        throw error;
      }
    },
    perhapsRevoked,
    introspect: (instance, token, claims = false) => {
      const running = introspect(instance, token, claims);
      underWay.add(running);
      return running.finally(() => underWay.delete(running));
    },
    settled: async () => {
      await Promise.all(underWay);
    },
  };
}

async function outcomeOf({ caller }: Checker, { token }: IsolatedToken, claims: boolean): Promise<Outcome> {
  try {
    const { status, body } = await caller.post(PATH, { token, ...(claims && { revoke: 'true' }) });
    if (status !== 200) return 'fault';
    return body === '{"active":false}' ? 'inactive' : 'active';
  } catch {
    return 'unanswered';
  }
}
