import type { Server } from 'node:net';
import { Gauge, type Registry } from 'prom-client';
import { readCounter } from '../observability/read-metrics.js';
import { UnansweredRequestsError } from './unanswered-requests.js';

/** Registers metrics of inbound connections: open, refused, and closed because of too many unanswered requests. */
export function registerConnectionMetrics(registry: Registry, server: Server): void {
  let refused = 0;
  server.on('drop', () => {
    refused += 1;
  });
  let cut = 0;
  server.on('clientError', (error) => {
    if (error instanceof UnansweredRequestsError) cut += 1;
  });
  new Gauge({
    name: 'http_connections',
    help: 'Open inbound connections.',
    registers: [registry],
    async collect() {
      this.set(await openConnections(server));
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
}

function openConnections(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count ?? 0));
  });
}
