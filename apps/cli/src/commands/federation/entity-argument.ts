import { parseNamedEntityId } from '@vestibule/federation';
import { misused } from '../../frame/command-failure.js';

/**
 * Validates an entity identifier argument.
 * @throws CommandFailure if it is invalid
 */
export function entityArgument(text: string): string {
  const entityId = parseNamedEntityId(text);
  if (entityId !== undefined) return entityId;
  throw misused('The entity identifier must be a normalized https URL without query and fragment.');
}
