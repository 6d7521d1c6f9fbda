import type { AuditActor } from '@vestibule/clients';
import type { Clock } from '@vestibule/protocol';

/** The actor of audited changes, and the clock that dates them. */
export interface Author {
  readonly actor: AuditActor;
  readonly clock: Clock;
}
