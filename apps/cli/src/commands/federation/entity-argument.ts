import { parseEntityId } from '@vestibule/federation';
import { misused } from '../../frame/command-failure.js';

/** An entity identifier as it was typed. @throws CommandFailure when no entity can have it */
export function entityArgument(text: string): string {
  const { host } = URL.canParse(text) ? new URL(text) : { host: '' };
  // An entity of a local stack may be named with http.
  if (parseEntityId(text, host === '' ? [] : [host]) !== undefined) return text;
  throw misused('The entity identifier must be a normalized https URL without query and fragment.');
}
