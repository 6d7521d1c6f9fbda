import type { AttemptOutcome, ClaimedDelivery } from '@vestibule/logout/delivery';
import type { Tracer } from '@vestibule/protocol';

type Attempt = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptOutcome>;

/**
 * Records attempts as spans in the trace of the request that ended the session, in whichever service. If that request
 * was not traced, neither are the attempts.
 */
export function tracedAttempts(attempt: Attempt, tracer: Tracer | undefined): Attempt {
  if (tracer === undefined) return attempt;
  return (delivery, signal) => {
    const { id, attempt: number, traceparent } = delivery;
    if (traceparent === undefined) return attempt(delivery, signal);
    const facts = { 'vestibule.delivery': id, 'vestibule.attempt': number };
    return tracer.span({ name: 'logout delivery', kind: 'consumer', facts, traceparent }, async (span) => {
      const outcome = await attempt(delivery, signal);
      span.note({ 'vestibule.outcome': outcome.verdict });
      if (outcome.verdict !== 'delivered') span.fail(outcome.error);
      return outcome;
    });
  };
}
