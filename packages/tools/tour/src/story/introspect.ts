import { setTimeout as pause } from 'node:timers/promises';
import type { Members } from '../print/exchange.js';
import type { Narrator } from '../print/narrator.js';
import { membersOf, type ToldFetch, toldFetch } from '../print/told-fetch.js';
import type { Stack } from '../stack/stack.js';
import { ensure } from '../tour-error.js';
import type { RegisteredClient } from './register.js';

/** A resource server that introspects tokens at every instance of the introspection service. */
export interface ResourceServer {
  readonly client: RegisteredClient;
  /** Introspects a token; all instances have to agree. @throws TourError when a request fails */
  introspect(token: string): Promise<Members>;
  /**
   * Introspects all tokens at all instances until each has reported each token as inactive.
   * @param since when the tokens were revoked, by the monotonic clock
   * @throws TourError when a token is active for too long after a revocation, or again
   */
  seeDead(tokens: Readonly<Record<string, string>>, since: number): Promise<void>;
}

/** How long a revoked token may be active on another instance, in milliseconds, including the duration of a request. */
const BOUND_MS = 1_000;
const POLL_MS = 5;

/** A registered resource server. */
export function resourceServer(
  { introspection }: Stack,
  client: RegisteredClient,
  narrator: Narrator,
): ResourceServer {
  const told = toldFetch(client.name, narrator);
  const silent = toldFetch(client.name, { ...narrator, exchange: () => undefined });
  const ask = (instance: string, token: string, asking = silent) =>
    askAt(instance, { client, token, asking });
  const deadAfterMs = async (instance: string, [what, token]: readonly [string, string], since: number) => {
    while ((await ask(instance, token))['active'] !== false) {
      const elapsedMs = performance.now() - since;
      ensure(elapsedMs < BOUND_MS, `${what} is still active at ${instance} a second after its end.`);
      await pause(POLL_MS);
    }
    return performance.now() - since;
  };
  return {
    client,
    introspect: async (token) => {
      const [first = '', ...others] = introspection;
      const answer = await ask(first, token, told);
      for (const instance of others)
        ensure(
          JSON.stringify(await ask(instance, token)) === JSON.stringify(answer),
          `${instance} says something else of the token than ${first}.`,
        );
      return answer;
    },
    seeDead: async (tokens, since) => {
      const each = Object.entries(tokens);
      const times = await Promise.all(
        each.flatMap((token) => introspection.map((instance) => deadAfterMs(instance, token, since))),
      );
      for (const [what, token] of each) {
        const [first = '', ...others] = introspection;
        const responses = [await ask(first, token, told)];
        for (const instance of others) responses.push(await ask(instance, token));
        for (const answer of responses)
          ensure(
            JSON.stringify(answer) === '{"active":false}',
            `An answer about ${what} says more than that it is dead.`,
          );
      }
      const longest = Math.ceil(Math.max(...times));
      const where = introspection.length === 1 ? 'there' : `at all ${introspection.length} instances`;
      for (const [what] of each) narrator.proved(`${what} is dead ${where}.`);
      narrator.measured(`longest time until a token was inactive ${where} (limit ${BOUND_MS} ms)`, longest);
      narrator.proved(`The last answer that said so came after ${longest} ms; ${BOUND_MS} ms are allowed.`);
    },
  };
}

interface Request {
  readonly client: RegisteredClient;
  readonly token: string;
  readonly asking: ToldFetch;
}

async function askAt(instance: string, { client, token, asking }: Request): Promise<Members> {
  const credentials = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
  const response = await asking(`${instance}/token/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }),
  });
  ensure(response.status === 200, `The introspection at ${instance} was answered with ${response.status}.`);
  return membersOf(await response.text());
}
