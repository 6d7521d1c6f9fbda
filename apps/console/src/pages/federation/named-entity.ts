import { type EntityId, parseNamedEntityId } from '@vestibule/federation';
import { DomainError } from '@vestibule/protocol';
import { NO_ENTITY } from './explain-action.js';

/**
 * Parses the identifier of the entity that a request is about.
 * @throws DomainError `invalid_request`
 */
export function requireEntity(text: string): EntityId {
  const entityId = parseNamedEntityId(text);
  if (entityId === undefined) throw new DomainError('invalid_request', NO_ENTITY);
  return entityId;
}
