/**
 * The actor of a change in audit records: a public identity, never a credential. An initial access token is named by
 * the first eight hexadecimal digits of its digest, an operator by the configured label, a federation entity by its
 * identifier, and `metadata_document` is the client ID metadata document of the client. `service` is a change that no
 * request asked for.
 */
export type AuditActor =
  | 'master'
  | 'anonymous'
  | 'registration_access_token'
  | `initial_access_token:${string}`
  | OperatorActor
  | `entity:${string}`
  | 'metadata_document'
  | 'service';

/** An operator who works directly on the store, by the configured label. */
export type OperatorActor = `operator:${string}`;

/** Actions on clients in audit records. */
export type ClientAction =
  | 'client.registered'
  | 'client.updated'
  | 'client.secret_renewed'
  | 'client.secret_rotated'
  | 'client.secret_taken_over'
  | 'client.secret_handed_over'
  | 'client.adopted'
  | 'client.registration_token_rotated'
  | 'client.approved'
  | 'client.suspended'
  | 'client.resumed'
  | 'client.kept'
  | 'client.rejected'
  | 'client.deleted'
  | 'client.expired'
  | 'client.replaced'
  | 'client.pruned'
  | 'client.blocked';

/**
 * Labels under which programs act as operators by themselves: the command line unless it is told who uses it, the console,
 * and the standalone process. No person must get one of them.
 */
export const PROGRAM_LABELS = ['cli', 'console', 'standalone'] as const;

/** The actor of a program. */
export function programActor(label: (typeof PROGRAM_LABELS)[number]): OperatorActor {
  return `operator:${label}`;
}

const LABEL = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/**
 * Builds the actor for an operator's label.
 * @throws TypeError unless the label has 1 to 64 letters, digits, dots, hyphens, underscores and at signs and starts
 *   with a letter or digit.
 */
export function operatorActor(label: string): OperatorActor {
  if (!LABEL.test(label))
    throw new TypeError(
      'an operator label must have 1 to 64 letters, digits, dots, hyphens, underscores or at signs',
    );
  return `operator:${label}`;
}
