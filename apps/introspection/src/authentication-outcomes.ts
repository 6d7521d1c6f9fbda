import type { AuthenticationOutcome } from '@vestibule/client-auth';
import { readCounter } from '@vestibule/service-kit';
import type { Registry } from 'prom-client';

/** Registers `introspection_authentications_total`, and gives what counts there. */
export function authenticationOutcomes(registry: Registry): (outcome: AuthenticationOutcome) => void {
  const tallies: Record<AuthenticationOutcome, number> = {
    proven: 0,
    unknown_client: 0,
    wrong_credential: 0,
    dead_token: 0,
    throttled: 0,
  };
  readCounter(registry, {
    name: 'introspection_authentications_total',
    help: 'Attempts of callers that are not remembered to prove themselves: `proven`, `unknown_client`, `wrong_credential`, `dead_token` (presented as a credential), or `throttled`.',
    labels: ['outcome'],
    read: () => Object.entries(tallies).map(([outcome, count]) => [{ outcome }, count] as const),
  });
  return (outcome) => {
    tallies[outcome] += 1;
  };
}
