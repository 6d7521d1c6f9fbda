/**
 * Who changes something, by a public identity and never by a credential. An initial access token goes by the first
 * eight hexadecimal digits of its digest, an operator by the label that was set for them, an entity of a federation by
 * its identifier; `service` is a change that no request asked for.
 */
export type AuditActor =
  | 'master'
  | 'anonymous'
  | 'registration_access_token'
  | `initial_access_token:${string}`
  | OperatorActor
  | `entity:${string}`
  | 'service';

/** Who works on the store itself, by the label that was set for them. */
export type OperatorActor = `operator:${string}`;

/** What happens to a client in the records of who changed what. */
export type ClientAction =
  | 'client.registered'
  | 'client.updated'
  | 'client.secret_renewed'
  | 'client.secret_rotated'
  | 'client.secret_taken_over'
  | 'client.registration_token_rotated'
  | 'client.approved'
  | 'client.suspended'
  | 'client.resumed'
  | 'client.kept'
  | 'client.rejected'
  | 'client.deleted'
  | 'client.expired'
  | 'client.replaced'
  | 'client.pruned';

const LABEL = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/**
 * The operator of that label.
 * @throws TypeError unless it has 1 to 64 letters, digits, dots, hyphens, underscores and at signs, the first one a
 *   letter or digit.
 */
export function operatorActor(label: string): OperatorActor {
  if (!LABEL.test(label)) throw new TypeError('not the label of an operator');
  return `operator:${label}`;
}
