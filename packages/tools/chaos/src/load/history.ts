import type { TokenEvent } from '@vestibule/tokens/testing';
import type { Instance } from '../test-environment/cluster.js';
import type { LoneToken } from './lone-token.js';

/** What came of a question: a response, a fault of the service, or no response at all. */
export type Outcome = 'active' | 'inactive' | 'fault' | 'unanswered';

/** Whether someone said what the token is. */
export function isResponse(outcome: Outcome): boolean {
  return outcome === 'active' || outcome === 'inactive';
}

/** Everything that was done to tokens, with its times on the monotonic clock of this process. */
export interface History {
  readonly events: readonly TokenEvent[];
  /** How long each question took, in milliseconds. */
  readonly latenciesMs: readonly number[];
  /** How many questions had that outcome. */
  count(outcome: Outcome): number;
  issued(token: LoneToken): void;
  /** Runs a revocation and records it, also when nobody knows whether it was carried out. Rejects as it does. */
  revoke(token: LoneToken, run: () => Promise<unknown>): Promise<void>;
  /** Records a revocation that may have been carried out since. */
  perhapsRevoked(token: LoneToken, begunAtMs: number): void;
  /** Asks an instance about a token, or to use it up, and records the response. Never rejects. */
  ask(instance: Instance, token: LoneToken, claims?: boolean): Promise<Outcome>;
}

const PATH = '/token/introspect';
const CLOCKS_APART_MS = 10;
const now = () => performance.now();

/** An empty history. */
export function openHistory(): History {
  const events: TokenEvent[] = [];
  const latenciesMs: number[] = [];
  const counts: Record<Outcome, number> = { active: 0, inactive: 0, fault: 0, unanswered: 0 };
  const perhapsRevoked = ({ name }: LoneToken, begunAtMs: number) => {
    events.push({ kind: 'revoked', token: name, begunAtMs, doneAtMs: Number.POSITIVE_INFINITY });
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
        // The clocks do not agree to the millisecond.
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
    ask: async (instance, token, claims = false) => {
      const begunAtMs = now();
      const outcome = await askOf(instance, token, claims);
      const doneAtMs = now();
      latenciesMs.push(doneAtMs - begunAtMs);
      counts[outcome] += 1;
      const response = outcome === 'unanswered' ? 'fault' : outcome;
      const { node } = instance;
      events.push({ kind: 'asked', token: token.name, node, begunAtMs, doneAtMs, response, claims });
      // Without a response the token may be used up all the same.
      if (claims && response === 'fault') perhapsRevoked(token, begunAtMs);
      return outcome;
    },
  };
}

async function askOf({ caller }: Instance, { token }: LoneToken, claims: boolean): Promise<Outcome> {
  try {
    const { status, body } = await caller.post(PATH, { token, ...(claims && { revoke: 'true' }) });
    if (status !== 200) return 'fault';
    return body === '{"active":false}' ? 'inactive' : 'active';
  } catch {
    return 'unanswered';
  }
}
