import { logIn } from '@vestibule/testkit/logins';
import { logoutReceiver } from '../load/logout-receiver.js';
import { notifiedClient } from '../load/notified-client.js';
import { until } from '../until.js';
import { FORM, formOf, type OpenTraffic } from './traffic.js';

/** A client may take some time to accept a logout token. */
const RECEIVER_MS = 40;
/** One turn in this many sends its body slowly. */
const SLOW_EVERY = 15;
const SLOW_MS = 900;
/** How long to wait without a new notification before giving up. */
const PATIENCE_MS = 20_000;
const CONFIRMATION = /name="confirmation" value="([^"]+)"/;

/** End-users who sign in at a client and sign out on the logout page; the client is notified each time. */
export const logoutTraffic: OpenTraffic = async ({ installation }, toEnd) => {
  const receiver = await logoutReceiver(RECEIVER_MS);
  toEnd.add(receiver.close);
  const clientId = await notifiedClient(installation, receiver.port);
  const ended: string[] = [];
  let turns = 0;
  return {
    environment: { EGRESS_ALLOW_HOSTS: `127.0.0.1:${receiver.port}`, LOGOUT_DELIVERY_POLL_MS: '200' },
    turn: async (send) => {
      turns += 1;
      const slowMs = turns % SLOW_EVERY === 0 ? SLOW_MS : 0;
      const { id, cookie } = await logIn(installation.store, (session) => [
        { clientId, sid: `sid-${session}` },
      ]);
      const path = `/logout?${formOf({ client_id: clientId })}`;
      const page = await send(
        { method: 'GET', path, headers: { cookie } },
        { status: 200, isRight: (body) => CONFIRMATION.test(body) },
      );
      const confirmation = CONFIRMATION.exec(page.body)?.[1] ?? '';
      const body = formOf({ client_id: clientId, confirmation, decision: 'accept' });
      await send(
        { method: 'POST', path: '/logout', headers: { cookie, ...FORM }, body, slowMs },
        { status: 200, isRight: (text) => !CONFIRMATION.test(text) },
      );
      ended.push(`sid-${id}`);
    },
    afterwards: async () => {
      const missingOf = () => {
        const notified = new Set(receiver.received.map(({ sid }) => sid));
        return ended.filter((sid) => !notified.has(sid)).length;
      };
      // Notifications may lag, but must continue until every client was notified.
      for (let known = -1; receiver.received.length > known && missingOf() > 0; ) {
        known = receiver.received.length;
        await until(async () => missingOf() === 0, PATIENCE_MS).catch(() => undefined);
      }
      const missing = missingOf();
      const twice = receiver.received.length - new Set(receiver.received.map(({ sid }) => sid)).size;
      return [
        ...(missing > 0 ? [`${missing} of ${ended.length} logouts without a notification`] : []),
        ...(twice > 0 ? [`${twice} logouts with two notifications`] : []),
      ];
    },
  };
};
