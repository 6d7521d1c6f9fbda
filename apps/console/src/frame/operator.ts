import type { OperatorActor } from '@vestibule/clients';

/** What a person may do in the console; each role includes those before it. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;

/**
 * A viewer may open pages, an operator also makes everyday changes to one client, token or session, and an admin may also
 * delete clients, end all sessions and tokens of an end-user, change keys and grant elevated scopes.
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
