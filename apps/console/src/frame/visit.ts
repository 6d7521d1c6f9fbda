import type { Request } from '@vestibule/http';
import type { Operator, Role } from './operator.js';

/** A request of a person who is logged in, as pages and actions see it. */
export interface Visit {
  readonly operator: Operator;
  /** The value that each form must carry; it belongs to the session ({@link ActionForm}). */
  readonly formToken: string;
  /** The path parameter of this name, decoded; empty if the path has none. */
  readonly param: (name: string) => string;
  /** The path and query of the request, to come back to. */
  readonly address: string;
  readonly request: Request;
  /**
   * Requires a role for what was asked for, if that is more than the action requires in general. A refusal is recorded.
   * @throws DomainError `access_denied`
   */
  readonly requireRole: (role: Role) => Promise<void>;
}
