import type { Server } from 'node:net';
import { Gauge, type Registry } from 'prom-client';
import { readCounter } from './read-metrics.js';

/** Registers how many connections callers have open, and how many were turned away because there were too many. */
export function registerConnectionMetrics(registry: Registry, server: Server): void {
  let refused = 0;
  server.on('drop', () => {
    refused += 1;
  });
  new Gauge({
    name: 'http_connections',
    help: 'Connections that callers have open.',
    registers: [registry],
    async collect() {
      this.set(await openConnections(server));
    },
  });
  readCounter(registry, {
    name: 'http_connections_refused_total',
    help: 'Connections that were closed at once because there were too many.',
    read: () => [[{}, refused]],
  });
}

function openConnections(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count ?? 0));
  });
}
