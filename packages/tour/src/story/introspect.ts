import { setTimeout as pause } from 'node:timers/promises';
import type { Members } from '../print/exchange.js';
import type { Narrator } from '../print/narrator.js';
import { membersOf, type ToldFetch, toldFetch } from '../print/told-fetch.js';
import { ensure } from '../tour-error.js';
import type { RegisteredClient } from './register.js';

/** A resource server that asks about tokens. */
export interface ResourceServer {
  readonly client: RegisteredClient;
  /** What a token is. @throws TourError when that cannot be said */
  introspect(token: string): Promise<Members>;
  /** Waits until a token is dead. @throws TourError when it is alive for longer than it may be after a revocation */
  seeDead(what: string, token: string): Promise<void>;
}

/** How long a revoked token may be active on another instance, with the time that asking takes. */
const BOUND_MS = 1_000;
const POLL_MS = 20;

/** A registered resource server at its introspection endpoint. */
export function resourceServer(
  baseUrl: string,
  client: RegisteredClient,
  narrator: Narrator,
): ResourceServer {
  const told = toldFetch(client.name, narrator);
  const silent = toldFetch(client.name, { ...narrator, exchange: () => undefined });
  const ask = async (asking: ToldFetch, token: string): Promise<Members> => {
    const credentials = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
    const response = await asking(`${baseUrl}/token/introspect`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token }),
    });
    ensure(response.status === 200, `The introspection was answered with ${response.status}.`);
    return membersOf(await response.text());
  };
  return {
    client,
    introspect: (token) => ask(told, token),
    seeDead: async (what, token) => {
      const begun = performance.now();
      while ((await ask(silent, token))['active'] !== false) {
        ensure(performance.now() - begun < BOUND_MS, `${what} is still active a second after its end.`);
        await pause(POLL_MS);
      }
      const answer = await ask(told, token);
      ensure(
        Object.keys(answer).join() === 'active',
        `The answer about ${what} says more than that it is dead.`,
      );
      narrator.proved(`${what} is dead.`);
    },
  };
}
