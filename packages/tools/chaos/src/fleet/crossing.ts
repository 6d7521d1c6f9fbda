import { setTimeout as pause } from 'node:timers/promises';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Installation } from '../test-environment/installation.js';
import { bearerJson, FORM, formOf } from '../traffic/traffic.js';
import type { Fleet } from './fleet.js';
import { type Ledger, UnexpectedResponse } from './ledger.js';

/** The services that issue tokens and introspect them. */
export interface Crossing {
  readonly authorization: Fleet;
  readonly introspection: Fleet;
  readonly ledger: Ledger;
  readonly resourceServer: Installation['resourceServer'];
  readonly masterToken: () => string;
}

/** Callers that use both services. */
export interface RunningCrossing {
  /** Issues a token. @throws UnexpectedResponse */
  issue(format: 'jwt' | 'identifier'): Promise<string>;
  /** Checks that a token is active. @throws UnexpectedResponse when it is not */
  requireActive(token: string): Promise<void>;
  /** Requests a signed introspection response. @throws UnexpectedResponse */
  signedResponse(token: string): Promise<string>;
  /** Stops the callers. */
  stop(): Promise<void>;
}

const Issued = Type.Object({ access_token: Type.String() });
const LIFETIME_SECONDS = 3_600;
const CALLERS = 2;
const TURN_MS = 5;

/** Issues tokens at one service and introspects them at the other, over and over. */
export function startCrossing(crossing: Crossing): RunningCrossing {
  const { authorization, introspection, ledger, resourceServer, masterToken } = crossing;
  const issue: RunningCrossing['issue'] = async (format) => {
    const grant = { client_id: resourceServer.id, scope: 'read', format, expires_in: LIFETIME_SECONDS };
    const { body } = await ledger.send(
      authorization.gateway,
      {
        method: 'POST',
        path: '/direct-authz',
        headers: bearerJson(masterToken()),
        body: JSON.stringify(grant),
      },
      { status: 200 },
    );
    return Value.Parse(Issued, JSON.parse(body)).access_token;
  };
  const introspect = async (token: string, accept: string, isRight: (body: string) => boolean) => {
    const headers = { authorization: resourceServer.authorization, accept, ...FORM };
    const exchange = {
      method: 'POST',
      path: '/token/introspect',
      headers,
      body: formOf({ token }),
    } as const;
    return (await ledger.send(introspection.gateway, exchange, { status: 200, isRight })).body;
  };
  const requireActive = async (token: string) => {
    await introspect(token, MEDIA_TYPE.json, (body) => body.startsWith('{"active":true'));
  };
  const signedResponse = (token: string) =>
    introspect(token, MEDIA_TYPE.tokenIntrospectionJwt, (body) => body.split('.').length === 3);
  let isOver = false;
  const caller = async (format: 'jwt' | 'identifier') => {
    while (!isOver) {
      await issue(format)
        .then(requireActive)
        .catch((error: unknown) => {
          // Already counted.
          if (!(error instanceof UnexpectedResponse)) throw error;
        });
      await pause(TURN_MS);
    }
  };
  const calling = Promise.all(
    Array.from({ length: CALLERS }, (_, index) => caller(index % 2 === 0 ? 'jwt' : 'identifier')),
  );
  calling.catch(() => undefined);
  return {
    issue,
    requireActive,
    signedResponse,
    stop: async () => {
      isOver = true;
      await calling;
    },
  };
}
