import { setTimeout as pause } from 'node:timers/promises';
import { UnexpectedResponse } from '../fleet/ledger.js';
import type { TokenFormat } from '../load/lone-token.js';
import { readTokens } from '../load/readers.js';
import { claimTogether } from '../load/revocations.js';
import { watchDeath } from '../load/watch.js';
import type { Work } from '../load/work.js';
import type { Client, HeldToken, Holder } from './client.js';
import { CLIENT_REVOCATIONS } from './client-revocations.js';

const WORKERS = 48;
const TURN_MS = 20;
/** Of tokens that are revoked; less than a clock is wrong by. */
const LIFETIME_SECONDS = 45;
/** Of tokens that nobody revokes: some end while they are asked about. */
const LEFT_ALONE_SECONDS = [5, 45, 90] as const;
/** A cutoff holds for the second in which it was made. */
const CUTOFF_MS = 1_100;

/** Tokens that come and go at a desk while instances are asked about them. */
export interface ClientTraffic {
  /** Questions that nobody could answer. */
  failures(): number;
  /** Ends it, and waits for what is under way. */
  stop(): Promise<void>;
}

/** Lets holders come, get tokens and lose them by every way, while readers ask about all of them. */
export function startClientTraffic(client: Client, work: Work): ClientTraffic {
  let [turns, failures] = [0, 0];
  const counted = async (doing: Promise<unknown>) => {
    await doing.catch((error: unknown) => {
      // It has been counted.
      if (!(error instanceof UnexpectedResponse)) throw error;
    });
  };
  const worker = async () => {
    while (!work.isOver()) {
      const turn = turns;
      turns += 1;
      await counted(liveAndDie(client, work, turn));
      await pause(TURN_MS);
    }
  };
  const latecomer = async () => {
    while (!work.isOver()) await counted(client.registerLate());
  };
  const onFailure = () => {
    failures += 1;
  };
  const working = Promise.all([
    ...Array.from({ length: WORKERS }, worker),
    latecomer(),
    ...Array.from({ length: work.pace.readers }, () => readTokens(work, onFailure)),
  ]);
  working.catch(() => undefined);
  return {
    failures: () => failures,
    stop: async () => {
      await working;
    },
  };
}

/** One token that is left alone, and one that is revoked by the next way, after which its holder gets another. */
async function liveAndDie(client: Client, work: Work, turn: number): Promise<void> {
  const { history } = work;
  const format: TokenFormat = turn % 2 === 0 ? 'identifier' : 'jwt';
  const next = Math.floor(turn / 2);
  await issue(client, work, {
    holder: await client.register(),
    format,
    seconds: LEFT_ALONE_SECONDS[next % LEFT_ALONE_SECONDS.length] ?? LIFETIME_SECONDS,
  });
  const holder = await client.register();
  const token = await issue(client, work, { holder, format, seconds: LIFETIME_SECONDS });
  // The last way is to use it up, which no self-contained token can be.
  const ways = CLIENT_REVOCATIONS.length + (format === 'identifier' ? 1 : 0);
  const way = CLIENT_REVOCATIONS[next % ways];
  if (way === undefined) await claimTogether(work, token);
  else await history.revoke(token, () => way.revoke(client, token));
  await watchDeath(work, token);
  if (way?.sparesHolder) {
    await pause(CUTOFF_MS);
    await issue(client, work, { holder, format, seconds: LIFETIME_SECONDS });
  }
}

interface Order {
  readonly holder: Holder;
  readonly format: TokenFormat;
  readonly seconds: number;
}

/** Issues a token and asks every instance about it at once. */
async function issue(
  client: Client,
  { cluster, history, pool }: Work,
  { holder, format, seconds }: Order,
): Promise<HeldToken> {
  const token = await client.issue(holder, format, seconds);
  history.issued(token);
  await Promise.all(cluster.instances.map((instance) => history.ask(instance, token)));
  pool.add(token);
  return token;
}
