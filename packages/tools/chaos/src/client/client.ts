import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ClientId, parseClientId } from '@vestibule/protocol';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Exchange, Gateway, PassedResponse } from '../fleet/gateway.js';
import type { Expected, Ledger } from '../fleet/ledger.js';
import type { IsolatedToken, TokenFormat } from '../load/isolated-token.js';
import { bearerJson } from '../traffic/traffic.js';

/** A registered client with an end-user who is signed in to it. */
export interface Holder {
  readonly clientId: string;
  readonly authorization: string;
  readonly registrationToken: string;
  readonly subject: string;
  readonly sid: string;
}

/** A token that was issued to a holder. */
export interface HeldToken extends IsolatedToken {
  readonly holder: Holder;
}

/** The services at which clients are registered and tokens are issued and revoked. */
export interface ClientServices {
  readonly registration: Gateway;
  readonly authorization: Gateway;
}

/** Registers clients, issues and revokes tokens through the services, and checks each response. */
export interface Client {
  readonly masterToken: string;
  /**
   * Sends a request to a service and counts an unexpected response. @throws UnexpectedResponse when it is unexpected
   */
  send(service: keyof ClientServices, exchange: Exchange, expected: Expected): Promise<PassedResponse>;
  /** Registers a client with a single-use initial access token and signs an end-user in. */
  register(): Promise<Holder>;
  /** Issues a token. */
  issue(holder: Holder, format: TokenFormat, lifetimeSeconds: number): Promise<HeldToken>;
  /** Tries to register with an expired initial access token. */
  registerLate(): Promise<void>;
}

const Issued = Type.Object({ access_token: Type.String() });
const Registered = Type.Object({
  client_id: Type.String(),
  client_secret: Type.String(),
  registration_access_token: Type.String(),
});
const Opened = Type.Object({ sid: Type.String() });
const CLIENT = JSON.stringify({ redirect_uris: ['https://client.example/callback'] });
const INITIAL_TOKEN_SECONDS = 60;
/** Until a token with a lifetime of one second has expired, wherever in a second it was issued. */
const SURELY_OVER_MS = 2_200;
/** The greatest difference between the clocks of the services. */
const APART_MS = 50;
const TURN_OF_SECOND_MS = 5;

/** Opens a client of the services. */
export function openClient(services: ClientServices, ledger: Ledger, masterToken: string): Client {
  const send: Client['send'] = (service, exchange, expected) =>
    ledger.send(services[service], exchange, expected);
  const post = (service: keyof ClientServices, path: string, value: object | string, token = masterToken) => {
    const body = typeof value === 'string' ? value : JSON.stringify(value);
    return { service, exchange: { method: 'POST', path, headers: bearerJson(token), body } as const };
  };
  const responseTo = async ({ service, exchange }: ReturnType<typeof post>, status = 200) =>
    (await send(service, exchange, { status })).body;
  const authorize = async (path: string, value: object) =>
    JSON.parse(await responseTo(post('authorization', `/direct-authz${path}`, value)));
  const initialToken = async (lifetimeSeconds: number) => {
    const order = { scope: 'client-reg', expires_in: lifetimeSeconds };
    return Value.Parse(Issued, await authorize('', order)).access_token;
  };
  return {
    masterToken,
    send,
    register: async () => {
      const registration = post(
        'registration',
        '/clients',
        CLIENT,
        await initialToken(INITIAL_TOKEN_SECONDS),
      );
      const client = Value.Parse(Registered, JSON.parse(await responseTo(registration)));
      await responseTo(registration, 401);
      const subject = `subject-${randomUUID()}`;
      const session = { sub: subject, client_ids: [client.client_id] };
      const { sid } = Value.Parse(Opened, await authorize('/sessions', session));
      const credentials = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
      return {
        clientId: client.client_id,
        authorization: `Basic ${credentials}`,
        registrationToken: client.registration_access_token,
        subject,
        sid,
      };
    },
    issue: async (holder, format, lifetimeSeconds) => {
      const { clientId, subject, sid } = holder;
      const order = {
        client_id: clientId,
        sub: subject,
        sid,
        scope: 'read',
        format,
        expires_in: lifetimeSeconds,
      };
      for (;;) {
        const second = await steadySecond();
        const { access_token: token } = Value.Parse(Issued, await authorize('', order));
        const expiresAtMs = (second + lifetimeSeconds) * 1000;
        // The expiry of a token issued across the start of a second is ambiguous.
        if (steadySecondAt(Date.now()) === second)
          return { name: uniqueName(), token, format, expiresAtMs, holder };
      }
    },
    registerLate: async () => {
      const token = await initialToken(1);
      await pause(SURELY_OVER_MS);
      await responseTo(post('registration', '/clients', CLIENT, token), 401);
    },
  };
}

/** The current second, at a moment when every clock agrees on it. */
async function steadySecond(): Promise<number> {
  for (;;) {
    const second = steadySecondAt(Date.now());
    if (second !== undefined) return second;
    await pause(TURN_OF_SECOND_MS);
  }
}

function steadySecondAt(nowMs: number): number | undefined {
  const [earliest, latest] = [nowMs - APART_MS, nowMs + APART_MS].map((ms) => Math.floor(ms / 1000));
  return earliest === latest ? earliest : undefined;
}

function uniqueName(): ClientId {
  const name = parseClientId(`held-${randomUUID()}`);
  if (name === undefined) throw new TypeError('not a name');
  return name;
}
