import { connect, type Socket } from 'node:net';
import { postJson } from '../load/http.js';
import { type MetricMove, rises, sumOf } from './metric-move.js';

/** More than may wait for one host. */
const FETCHES = 120;
/** More than a server accepts, and how many are opened at once. */
const CONNECTIONS = 10_100;
const BATCH = 500;
const REDIRECT_URIS = ['https://client.example/callback'];

/** Overload: of requests to an outside host, and of connections to a service. */
export const LOAD_MOVES: readonly MetricMove[] = [
  {
    fault: 'an outside host hangs, and more requests wait for it than the limit',
    watched: 'registration',
    begin: async ({ services, receiver }) => {
      const metadata = {
        redirect_uris: REDIRECT_URIS,
        subject_type: 'pairwise',
        sector_identifier_uri: receiver.silentAddress,
      };
      const { port } = services.registration;
      const registrations = Array.from({ length: FETCHES }, () =>
        // The response is irrelevant here.
        postJson(port, '/clients', services.masterToken, metadata).catch(() => undefined),
      );
      return () => Promise.all(registrations);
    },
    hasMoved: (before, now) => rises('egress_requests_total', 'outcome="overloaded"')(before, now),
  },
  {
    fault: 'more connections are opened than a server accepts',
    watched: 'logout',
    begin: async ({ services }) => {
      const sockets = await openConnections(services.logout.port);
      return async () => {
        for (const socket of sockets) socket.destroy();
      };
    },
    hasMoved: (before, now) =>
      rises('http_connections_refused_total')(before, now) && sumOf(now, 'http_connections') >= 10_000,
  },
];

/** Opens more connections than the server accepts, and sends nothing on them. */
async function openConnections(port: number): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < CONNECTIONS) {
    const batch = Array.from({ length: Math.min(BATCH, CONNECTIONS - sockets.length) }, () =>
      connect(port, '127.0.0.1').on('error', () => undefined),
    );
    await Promise.all(
      batch.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))),
    );
    sockets.push(...batch);
  }
  return sockets;
}
