import type { Client } from '@vestibule/clients';

/** Longer identifiers, which are URLs, are not typed. */
const MAX_TYPED_LENGTH = 100;

/** What must be typed to confirm an action that cannot be undone: the identifier of the client, or `confirm` for a long one. */
export function confirmationWord({ id }: Pick<Client, 'id'>): string {
  return id.length <= MAX_TYPED_LENGTH ? id : 'confirm';
}
