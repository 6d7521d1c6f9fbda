import type { EgressFailureReason, EgressOptions } from '@vestibule/egress';
import { oncePerRegistry } from '@vestibule/http/observability';
import { Counter, Histogram } from 'prom-client';

/** Upper bounds of the duration buckets, in seconds. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const OUTCOMES = Object.keys({
  ok: true,
  blocked: true,
  overloaded: true,
  unresolvable: true,
  refused: true,
  tls: true,
  timeout: true,
  aborted: true,
  protocol: true,
  redirect: true,
  status: true,
  media_type: true,
  encoding: true,
  too_large: true,
} satisfies Record<'ok' | EgressFailureReason, true>);

/** Counts outbound requests by outcome. The destination is never a label. */
export const egressMetrics = oncePerRegistry((registry): NonNullable<EgressOptions['onOutcome']> => {
  const requests = new Counter({
    name: 'egress_requests_total',
    help: 'Outbound requests by outcome: `ok` or the reason of the failure. Requests counted as `overloaded` were not sent.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  for (const outcome of OUTCOMES) requests.inc({ outcome }, 0);
  const seconds = new Histogram({
    name: 'egress_request_seconds',
    help: 'Duration of outbound requests in seconds, including the wait for a slot.',
    buckets: BUCKETS,
    registers: [registry],
  });
  return (_hostClass, outcome, ms) => {
    requests.inc({ outcome });
    seconds.observe(ms / 1000);
  };
});
