import { setTimeout as pause } from 'node:timers/promises';
import type { House, Instance } from '../stage/house.js';
import { until } from '../until.js';
import type { History, Outcome } from './history.js';
import { issueLoneToken } from './lone-token.js';
import { revokeOne } from './revocations.js';
import { type TokenPool, tokenPool } from './token-pool.js';

/** How much is done. */
export interface Pace {
  readonly readers: number;
  /** Between an answer and the next question of a reader. */
  readonly readMs: number;
  readonly issuers: number;
  /** Tokens that live at a time. */
  readonly tokens: number;
  /** Between one revocation and the next. */
  readonly revokeMs: number;
}

/** What goes on while something fails. */
export interface Load {
  readonly pool: TokenPool;
  /** Questions that nobody answered with 200, with one more try on the other instance. */
  failures(): number;
  /** Ends it, and waits for what is under way. */
  stop(): Promise<void>;
}

/** The usual pace, which leaves two cores room for what fails. */
export const PACE: Pace = { readers: 8, readMs: 8, issuers: 4, tokens: 160, revokeMs: 80 };

const RETRY_MS = 100;
const LIFETIME_SECONDS = 600;
const SHORT_LIFETIMES = 8;

/** Readers, issuers and revokers at work, once as many tokens live as are wanted. */
export async function startLoad(house: House, history: History, pace: Pace = PACE): Promise<Load> {
  const pool = tokenPool();
  let [isOver, failures, count] = [false, 0, 0];
  const work = { house, history, pool, isOver: () => isOver };
  const issue = async () => {
    count += 1;
    // Some end by themselves while they are asked about; the others are revoked.
    const lifetime = count % SHORT_LIFETIMES === 0 ? 3 + (count % 5) : LIFETIME_SECONDS;
    const token = await issueLoneToken(house.installation, count % 3 === 0 ? 'jwt' : 'identifier', lifetime);
    history.issued(token);
    // At once, on the instance that it happens to meet.
    await history.ask(house.instances[count % 2] ?? house.instances[0], token);
    pool.add(token);
  };
  const issuer = async () => {
    while (!isOver) {
      if (pool.live < pace.tokens) await issue().catch(() => pause(RETRY_MS));
      else await pause(pace.revokeMs);
    }
  };
  const reader = async () => {
    while (!isOver) {
      const token = pool.pick();
      const [first, second] = inRandomOrder(house.instances);
      if (token !== undefined) {
        const outcome = await history.ask(first, token);
        // As a balancer or a client does, which tries another instance once.
        const last = isAnswer(outcome) ? outcome : await history.ask(second, token);
        if (!isAnswer(last)) failures += 1;
      }
      await pause(pace.readMs * (0.5 + Math.random()));
    }
  };
  const revoker = async () => {
    for (let turn = 0; !isOver; turn += 1) {
      await pause(pace.revokeMs);
      if (pool.live > pace.tokens / 2) await revokeOne(work, turn);
    }
  };
  const issuers = repeat(pace.issuers, issuer);
  await until(async () => pool.live >= pace.tokens);
  const working = Promise.all([...issuers, ...repeat(pace.readers, reader), revoker()]);
  return {
    pool,
    failures: () => failures,
    stop: async () => {
      isOver = true;
      await working;
    },
  };
}

function isAnswer(outcome: Outcome): boolean {
  return outcome === 'active' || outcome === 'inactive';
}

function inRandomOrder([one, other]: House['instances']): readonly [Instance, Instance] {
  return Math.random() < 0.5 ? [one, other] : [other, one];
}

function repeat<Result>(count: number, make: () => Result): readonly Result[] {
  return Array.from({ length: count }, make);
}
