import { setTimeout as pause } from 'node:timers/promises';
import { UnexpectedResponse } from '../fleet/ledger.js';
import type { TokenFormat } from '../load/isolated-token.js';
import { readTokens } from '../load/readers.js';
import { claimTogether } from '../load/revocations.js';
import { watchRevocation } from '../load/watch.js';
import type { Work } from '../load/work.js';
import type { Client, HeldToken, Holder } from './client.js';
import { CLIENT_REVOCATIONS } from './client-revocations.js';

const TURN_MS = 20;
/** For tokens that are revoked; shorter than a wrong clock is off. */
const LIFETIME_SECONDS = 45;
/** For tokens that are not revoked; some expire while they are introspected. */
const UNREVOKED_SECONDS = [5, 45, 90] as const;
/** A cutoff covers the whole second in which it was made. */
const CUTOFF_MS = 1_100;

/** Tokens that are issued and revoked by a client while instances introspect them. */
export interface ClientTraffic {
  /** Requests that got no response. */
  failures(): number;
  /** Waits for requests in progress; `isOver` of the work must be true. */
  stop(): Promise<void>;
}

/** Registers holders, issues and revokes their tokens in every way, and introspects all of them meanwhile. */
export function startClientTraffic(client: Client, work: Work): ClientTraffic {
  let [turns, failures] = [0, 0];
  const counted = async (doing: Promise<unknown>) => {
    await doing.catch((error: unknown) => {
      // Already counted.
      if (!(error instanceof UnexpectedResponse)) throw error;
    });
  };
  const worker = async () => {
    while (!work.isOver()) {
      const turn = turns;
      turns += 1;
      await counted(issueAndRevoke(client, work, turn));
      await pause(TURN_MS);
    }
  };
  const latecomer = async () => {
    while (!work.isOver()) {
      await counted(client.registerLate());
      // Without a ready instance a request fails at once.
      await pause(TURN_MS);
    }
  };
  const onFailure = () => {
    failures += 1;
  };
  const working = Promise.all([
    ...Array.from({ length: work.pace.issuers }, worker),
    latecomer(),
    ...Array.from({ length: work.pace.readers }, () => readTokens(work, onFailure)),
  ]);
  working.catch(() => undefined);
  return {
    failures: () => failures,
    stop: async () => {
      await working;
      await work.history.settled();
    },
  };
}

/**
 * Issues one token that is not revoked, and one that is revoked in the next way, after which its holder gets another.
 */
async function issueAndRevoke(client: Client, work: Work, turn: number): Promise<void> {
  const { history } = work;
  const format: TokenFormat = turn % 2 === 0 ? 'identifier' : 'jwt';
  const next = Math.floor(turn / 2);
  await issue(client, work, {
    holder: await client.register(),
    format,
    seconds: UNREVOKED_SECONDS[next % UNREVOKED_SECONDS.length] ?? LIFETIME_SECONDS,
  });
  const holder = await client.register();
  const token = await issue(client, work, { holder, format, seconds: LIFETIME_SECONDS });
  // The last way is use of the token, which a self-contained token does not support.
  const ways = CLIENT_REVOCATIONS.length + (format === 'identifier' ? 1 : 0);
  const way = CLIENT_REVOCATIONS[next % ways];
  if (way === undefined) await claimTogether(work, token);
  else await history.revoke(token, () => way.revoke(client, token));
  await watchRevocation(work, token);
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

/** Issues a token and introspects it on every instance immediately. */
async function issue(
  client: Client,
  { cluster, history, pool }: Work,
  { holder, format, seconds }: Order,
): Promise<HeldToken> {
  const token = await client.issue(holder, format, seconds);
  history.issued(token);
  await Promise.all(cluster.instances.map((instance) => history.introspect(instance, token)));
  pool.add(token);
  return token;
}
