import type { OperatorActor } from '@vestibule/clients';

/** What a person may do in the console; each role includes those before it. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;

/**
 * A viewer may look, an operator also makes the changes of every day, and an admin may also do what
 * ends much or gives rights: delete clients, end everything of an end-user, issue elevated initial access tokens, change
 * keys.
 */
export type Role = (typeof ROLES)[number];

/** A person who is logged in. */
export interface Operator {
  /** The subject at the authorization server. */
  readonly subject: string;
  /** The name that pages show. */
  readonly name: string;
  readonly role: Role;
  /** The actor of this person's changes in audit records. */
  readonly actor: OperatorActor;
}

/** Whether a role includes another. */
export function includesRole(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}
