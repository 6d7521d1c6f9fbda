import { parseEntityId } from '@vestibule/federation';
import { misused } from '../../frame/command-failure.js';

/**
 * Validates an entity identifier argument.
 * @throws CommandFailure if it is invalid
 */
export function entityArgument(text: string): string {
  const { host } = URL.canParse(text) ? new URL(text) : { host: '' };
  // Entities of a local stack may use http.
  if (parseEntityId(text, host === '' ? [] : [host]) !== undefined) return text;
  throw misused('The entity identifier must be a normalized https URL without query and fragment.');
}
