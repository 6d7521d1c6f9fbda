import { randomBytes } from 'node:crypto';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import { logoutReceiver } from '../load/logout-receiver.js';
import type { Installation } from '../stage/installation.js';
import { until } from '../until.js';
import { FORM, formOf, type OpenTraffic } from './traffic.js';

/** A client may take its time to take a logout token. */
const RECEIVER_MS = 40;
const SESSION_SECONDS = 3_600;
/** Every so many turns a request takes its time to arrive. */
const SLOW_EVERY = 15;
const SLOW_MS = 900;
const PATIENCE_MS = 20_000;
const CONFIRMATION = /name="confirmation" value="([^"]+)"/;

/** End-users who log in at a client and log out by the page; the client is told each time. */
export const logoutTraffic: OpenTraffic = async ({ installation }, toEnd) => {
  const receiver = await logoutReceiver(RECEIVER_MS);
  toEnd.add(receiver.close);
  const clientId = await registerTold(installation, receiver.port);
  const ended: string[] = [];
  let turns = 0;
  return {
    environment: { EGRESS_ALLOW_HOSTS: `127.0.0.1:${receiver.port}`, LOGOUT_DELIVERY_POLL_MS: '200' },
    turn: async (ask) => {
      turns += 1;
      const slowMs = turns % SLOW_EVERY === 0 ? SLOW_MS : 0;
      const login = await logIn(installation, clientId);
      const path = `/logout?${formOf({ client_id: clientId })}`;
      const { cookie } = login;
      const page = await ask(
        { method: 'GET', path, headers: { cookie } },
        { status: 200, isRight: (body) => CONFIRMATION.test(body) },
      );
      const confirmation = CONFIRMATION.exec(page.body)?.[1] ?? '';
      const body = formOf({ client_id: clientId, confirmation, decision: 'accept' });
      await ask(
        { method: 'POST', path: '/logout', headers: { cookie, ...FORM }, body, slowMs },
        { status: 200, isRight: (text) => !CONFIRMATION.test(text) },
      );
      ended.push(login.sid);
    },
    afterwards: async () => {
      const times = new Map<string, number>();
      const count = () => {
        times.clear();
        for (const { sid } of receiver.received) times.set(sid, (times.get(sid) ?? 0) + 1);
        return times;
      };
      await until(async () => ended.every((sid) => count().has(sid)), PATIENCE_MS).catch(() => undefined);
      const [untold, twice] = [
        ended.filter((sid) => !count().has(sid)).length,
        [...count().values()].filter((each) => each > 1).length,
      ];
      return [
        ...(untold > 0 ? [`${untold} of ${ended.length} logouts were never told`] : []),
        ...(twice > 0 ? [`${twice} logouts were told twice`] : []),
      ];
    },
  };
};

/** A client that is told of logouts. */
async function registerTold({ pool }: Installation, port: number): Promise<string> {
  const clientId = `told-${randomBytes(8).toString('hex')}`;
  const metadata = {
    backchannel_logout_uri: `http://127.0.0.1:${port}/logout`,
    backchannel_logout_session_required: true,
    id_token_signed_response_alg: 'ES256',
    subject_type: 'public',
  };
  await pool.query(
    `INSERT INTO client (id, metadata, rights, issued_at, updated_at) VALUES ($1, $2, '', now(), now())`,
    [clientId, metadata],
  );
  return clientId;
}

async function logIn({ store }: Installation, clientId: string) {
  const id = randomBytes(12).toString('hex');
  const now = nowSeconds(systemClock);
  const session = {
    id,
    cookieDigest: store.digester.digest('session-cookie', id),
    subject: 'alice',
    payload: {},
    expiresAt: (now + SESSION_SECONDS) as typeof now,
    clients: [{ clientId, sid: `sid-${id}` }],
  };
  await store.database.providerRecords.sessions.save(session, now);
  return { cookie: `__Host-vestibule_session=${id}`, sid: `sid-${id}` };
}
