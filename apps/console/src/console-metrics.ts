import { readCounter } from '@vestibule/http/observability';
import { LOGIN_OUTCOMES, type LoginOutcome } from './login/login-routes.js';

/** Counts logins, by how they ended. */
export function loginCounter(registry: Parameters<typeof readCounter>[0]): (outcome: LoginOutcome) => void {
  const tally = new Map<LoginOutcome, number>(LOGIN_OUTCOMES.map((outcome) => [outcome, 0]));
  readCounter(registry, {
    name: 'console_logins_total',
    help: 'Logins of operators in the console, by outcome: `success`, `no_role`, `unknown_attempt` (the response belongs to no login of this browser) or `provider_failure`.',
    labels: ['outcome'],
    read: () => [...tally].map(([outcome, count]) => [{ outcome }, count] as const),
  });
  return (outcome) => void tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
}
