import type { Server } from 'node:net';
import { Gauge, type Registry } from 'prom-client';
import { oncePerRegistry } from '../observability/metrics.js';
import { readCounter } from '../observability/read-metrics.js';
import { UnansweredRequestsError } from './unanswered-requests.js';

/**
 * Registers metrics of inbound connections: open, refused, and closed because of too many unanswered requests. Those of
 * several servers of a process are added up.
 */
export function registerConnectionMetrics(registry: Registry, server: Server): void {
  connectionCounts(registry).add(server);
}

const connectionCounts = oncePerRegistry((registry) => {
  const servers: Server[] = [];
  let [refused, cut] = [0, 0];
  new Gauge({
    name: 'http_connections',
    help: 'Open inbound connections.',
    registers: [registry],
    async collect() {
      const counts = await Promise.all(servers.map(openConnections));
      this.set(counts.reduce((sum, count) => sum + count, 0));
    },
  });
  readCounter(registry, {
    name: 'http_connections_refused_total',
    help: 'Connections closed on arrival because the connection limit was reached.',
    read: () => [[{}, refused]],
  });
  readCounter(registry, {
    name: 'http_connections_cut_total',
    help: 'Connections closed because too many of their requests were waiting for responses.',
    read: () => [[{}, cut]],
  });
  return {
    add: (server: Server) => {
      servers.push(server);
      server.on('drop', () => {
        refused += 1;
      });
      server.on('clientError', (error) => {
        if (error instanceof UnansweredRequestsError) cut += 1;
      });
    },
  };
});

function openConnections(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count ?? 0));
  });
}
