import { httpCaller } from '../load/http.js';
import { until } from '../until.js';
import { type Fixture, sumOf } from './metric-move.js';

const EVERY_MS = 25;

/** Resolves when Redis receives requests again. */
export function breakerCloses({ services: { introspection } }: Fixture): Promise<void> {
  return until(async () => sumOf(await introspection.metrics(), 'redis_breaker_open') === 0);
}

export function unknownToken(index: number): string {
  return String(index).padStart(43, 'x');
}

/** Introspects one unknown token after the other, so that every cache level and the store are queried. */
export function keepIntrospecting({ services, installation }: Fixture): () => Promise<void> {
  const caller = httpCaller(services.introspection.port, installation.resourceServer.authorization);
  let count = Math.floor(Math.random() * 1e9);
  const introspect = () => {
    count += 1;
    // The response is irrelevant here.
    caller.post('/token/introspect', { token: unknownToken(count) }).catch(() => undefined);
  };
  const timer = setInterval(introspect, EVERY_MS);
  return async () => {
    clearInterval(timer);
    caller.close();
  };
}
