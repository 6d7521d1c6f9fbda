import { oncePerRegistry, readCounter } from '@vestibule/http/observability';
import type { Registry } from 'prom-client';

/** Counts a request with failed client authentication by reason. */
export type CountClientRefusal = (reason: string) => void;

/**
 * Registers `client_authentication_refusals_total`: failed client authentications by endpoint and a closed list of
 * reasons.
 */
export const clientRefusalCounter = oncePerRegistry((registry: Registry) => {
  const tallies = new Map<string, Map<string, number>>();
  readCounter(registry, {
    name: 'client_authentication_refusals_total',
    help: 'Requests with failed client authentication, by endpoint and reason.',
    labels: ['endpoint', 'reason'],
    read: () =>
      [...tallies].flatMap(([endpoint, ofEndpoint]) =>
        [...ofEndpoint].map(([reason, count]) => [{ endpoint, reason }, count] as const),
      ),
  });
  return (endpoint: string, reasons: readonly string[]): CountClientRefusal => {
    const ofEndpoint = tallies.get(endpoint) ?? new Map(reasons.map((reason) => [reason, 0]));
    tallies.set(endpoint, ofEndpoint);
    return (reason) => void ofEndpoint.set(reason, (ofEndpoint.get(reason) ?? 0) + 1);
  };
});
