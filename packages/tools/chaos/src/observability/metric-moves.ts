import { httpCaller } from '../load/http.js';
import { breakerCloses, keepIntrospecting, unknownToken } from './introspection-requests.js';
import { becomes, type MetricMove, rises, sumOf } from './metric-move.js';
import { openNotifiedSession } from './notified-sessions.js';

const UNKNOWN_TOKENS = 400;
const AT_ONCE = 40;

/** One fault of each kind that shows quickly. */
export const SOON_MOVES: readonly MetricMove[] = [
  {
    fault: 'Redis is killed',
    watched: 'introspection',
    begin: async (fixture) => {
      const stop = keepIntrospecting(fixture);
      await fixture.redis.kill();
      return () =>
        stop()
          .then(fixture.redis.restart)
          .then(() => breakerCloses(fixture));
    },
    hasMoved: (before, now) =>
      rises('redis_faults_total')(before, now) && becomes(1, 'redis_breaker_open')(before, now),
  },
  {
    fault: 'PostgreSQL is killed',
    watched: 'registration',
    begin: async ({ postgres }) => {
      await postgres.kill();
      return postgres.restart;
    },
    hasMoved: (before, now) =>
      becomes(0, 'dependency_up', 'dependency="store"')(before, now) &&
      rises('database_failures_total')(before, now),
  },
  {
    fault: 'a client does not respond to logout tokens',
    watched: 'logout',
    begin: async (fixture) => {
      await fixture.endSession(await openNotifiedSession(fixture, fixture.receiver.silentAddress));
      return async () => undefined;
    },
    hasMoved: (before, now) =>
      rises('logout_deliveries_waiting')(before, now) &&
      sumOf(now, 'logout_delivery_oldest_seconds') > 0 &&
      rises('logout_delivery_attempts_total', 'outcome="retry"')(before, now) &&
      rises('logout_delivery_failures_total', 'reason="timeout"')(before, now) &&
      rises('egress_requests_total', 'outcome="timeout"')(before, now),
  },
  {
    fault: 'a caller exceeds its rate limit',
    watched: 'introspection',
    begin: async ({ services, installation }) => {
      const caller = httpCaller(services.introspection.port, installation.resourceServer.authorization);
      const introspect = (index: number) => caller.post('/token/introspect', { token: unknownToken(index) });
      // The limit counts responses: parallel requests would all be within it.
      for (let requested = 0; requested < UNKNOWN_TOKENS; requested += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => introspect(requested + index)));
      return async () => caller.close();
    },
    hasMoved: (before, now) =>
      rises('http_failures_total', 'code="too_many_requests"')(before, now) &&
      rises('http_requests_total', 'status="429"')(before, now),
  },
];
