import { setTimeout as pause } from 'node:timers/promises';
import type { Members } from '../print/exchange.js';
import { membersOf, type PrintedFetch, printedFetch } from '../print/printed-fetch.js';
import type { Reporter } from '../print/reporter.js';
import type { Stack } from '../stack/stack.js';
import { ensure } from '../tour-error.js';
import type { RegisteredClient } from './register.js';

/** A resource server that introspects tokens at every instance of the introspection service. */
export interface ResourceServer {
  readonly client: RegisteredClient;
  /** Introspects a token. @throws TourError when a request fails or instances return different responses */
  introspect(token: string): Promise<Members>;
  /**
   * Introspects all tokens at all instances until each has reported each token as inactive.
   * @param since when the tokens were revoked, by the monotonic clock
   * @throws TourError when a token is active for too long after its revocation, or active again
   */
  checkInactive(tokens: Readonly<Record<string, string>>, since: number): Promise<void>;
}

/** How long an instance may report a revoked token as active, in milliseconds, including the duration of a request. */
const BOUND_MS = 1_000;
const POLL_MS = 5;

/** A registered resource server. */
export function resourceServer(
  { introspection }: Stack,
  client: RegisteredClient,
  reporter: Reporter,
): ResourceServer {
  const printed = printedFetch(client.name, reporter);
  const unprinted = printedFetch(client.name, { ...reporter, exchange: () => undefined });
  const introspectAt = (instance: string, token: string, send = unprinted) =>
    introspect(instance, { client, token, send });
  const inactiveAfterMs = async (
    instance: string,
    [name, token]: readonly [string, string],
    since: number,
  ) => {
    while ((await introspectAt(instance, token))['active'] !== false) {
      const elapsedMs = performance.now() - since;
      ensure(
        elapsedMs < BOUND_MS,
        `${name} is still active at ${instance} ${BOUND_MS} ms after its revocation.`,
      );
      await pause(POLL_MS);
    }
    return performance.now() - since;
  };
  return {
    client,
    introspect: async (token) => {
      const [first = '', ...others] = introspection;
      const response = await introspectAt(first, token, printed);
      for (const instance of others)
        ensure(
          JSON.stringify(await introspectAt(instance, token)) === JSON.stringify(response),
          `${instance} and ${first} return different responses for the token.`,
        );
      return response;
    },
    checkInactive: async (tokens, since) => {
      const each = Object.entries(tokens);
      const times = await Promise.all(
        each.flatMap((token) => introspection.map((instance) => inactiveAfterMs(instance, token, since))),
      );
      for (const [name, token] of each) {
        const [first = '', ...others] = introspection;
        const responses = [await introspectAt(first, token, printed)];
        for (const instance of others) responses.push(await introspectAt(instance, token));
        for (const response of responses)
          ensure(
            JSON.stringify(response) === '{"active":false}',
            `${name}: the response for the inactive token has more members than "active".`,
          );
      }
      const longest = Math.ceil(Math.max(...times));
      const where = introspection.length === 1 ? '' : ` at all ${introspection.length} instances`;
      for (const [name] of each) reporter.passed(`${name} is inactive${where}.`);
      reporter.measured(`longest time until a token was inactive${where} (limit ${BOUND_MS} ms)`, longest);
      reporter.passed(`Every instance reported this within ${longest} ms (limit ${BOUND_MS} ms).`);
    },
  };
}

interface Request {
  readonly client: RegisteredClient;
  readonly token: string;
  readonly send: PrintedFetch;
}

async function introspect(instance: string, { client, token, send }: Request): Promise<Members> {
  const credentials = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
  const response = await send(`${instance}/token/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }),
  });
  ensure(response.status === 200, `POST ${instance}/token/introspect returned ${response.status}.`);
  return membersOf(await response.text());
}
