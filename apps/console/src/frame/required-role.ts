import { DomainError } from '@vestibule/protocol';
import type { ConsoleRoute } from './console-route.js';
import { includesRole, type Operator, type Role } from './operator.js';

/** A page or an action, and the role that it requires. */
export type RequiredRole = Pick<ConsoleRoute, 'method' | 'path' | 'role'>;

/** A request for which the role of the operator did not suffice. */
export interface RefusedAction {
  readonly operator: Operator;
  readonly method: string;
  /** The path with its parameters unfilled, as `/clients/:id/approve`. */
  readonly path: string;
  readonly required: Role;
}

/**
 * Checks that the role of the operator suffices. A refusal is recorded.
 * @throws DomainError `access_denied`, ThrottledError if the person was refused too often
 */
export async function requireRole(
  { recordRefusal }: { readonly recordRefusal: (refusal: RefusedAction) => Promise<void> },
  { operator }: { readonly operator: Operator },
  { method, path, role: required }: RequiredRole,
): Promise<void> {
  if (includesRole(operator.role, required)) return;
  await recordRefusal({ operator, method, path, required });
  throw new DomainError('access_denied', `This requires the role ${required}.`);
}
