import type { AuditActor } from '@vestibule/clients';
import type { Clock } from '@vestibule/protocol';

/** Who makes changes, and the clock by which they are recorded. */
export interface Author {
  readonly actor: AuditActor;
  readonly clock: Clock;
}
