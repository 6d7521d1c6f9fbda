import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { PassedResponse } from '../fleet/gateway.js';
import { bearer, bearerJson, type OpenTraffic, type Send } from './traffic.js';

const Registered = Type.Object({ client_id: Type.String(), registration_access_token: Type.String() });
/** One turn in this many sends its body slowly. */
const SLOW_EVERY = 12;
const SLOW_MS = 900;
const METADATA = { redirect_uris: ['https://client.example/callback'], client_name: 'A client' };

const registeredOf = ({ body }: PassedResponse) => Value.Parse(Registered, JSON.parse(body));

/**
 * The life cycle of a client, repeatedly: register, read, replace, read with the new token, delete, and check that it
 * is gone.
 */
export const registrationTraffic: OpenTraffic = async ({ masterToken }) => {
  let turns = 0;
  return {
    environment: {},
    turn: async (send) => {
      turns += 1;
      await runLifeCycle(send, masterToken(), turns % SLOW_EVERY === 0 ? SLOW_MS : 0);
    },
  };
};

async function runLifeCycle(send: Send, masterToken: string, slowMs: number): Promise<void> {
  const client = registeredOf(
    await send(
      {
        method: 'POST',
        path: '/clients',
        headers: bearerJson(masterToken),
        body: JSON.stringify(METADATA),
        slowMs,
      },
      { status: 200 },
    ),
  );
  const path = `/clients/${client.client_id}`;
  const isSame = (body: string) => body.includes(client.client_id);
  await send(
    { method: 'GET', path, headers: bearer(client.registration_access_token) },
    { status: 200, isRight: isSame },
  );
  const changed = JSON.stringify({ ...METADATA, client_id: client.client_id, client_name: 'Another' });
  const replaced = registeredOf(
    await send(
      { method: 'PUT', path, headers: bearerJson(client.registration_access_token), body: changed, slowMs },
      { status: 200, isRight: (body) => isSame(body) && body.includes('Another') },
    ),
  );
  const headers = bearer(replaced.registration_access_token);
  await send({ method: 'GET', path, headers }, { status: 200, isRight: (body) => body.includes('Another') });
  await send({ method: 'DELETE', path, headers }, { status: 204 });
  await send({ method: 'GET', path, headers }, { status: 401 });
}
