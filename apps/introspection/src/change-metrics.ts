import { readCounter, readGauge } from '@vestibule/http/observability';
import type { Registry } from 'prom-client';
import type { ChangeStreams } from './change-streams.js';

/** Registers the metrics of the streams of changes. */
export function registerChangeMetrics(
  registry: Registry,
  streams: Pick<ChangeStreams, 'count' | 'slowReaders'>,
): void {
  readGauge(registry, {
    name: 'token_change_streams',
    help: 'Open streams of changes (`GET /token/changes`).',
    read: () => [[{}, streams.count()]],
  });
  readCounter(registry, {
    name: 'token_change_slow_readers_total',
    help: 'Streams of changes that were closed because the client read too slowly.',
    labels: [],
    read: () => [[{}, streams.slowReaders()]],
  });
}
