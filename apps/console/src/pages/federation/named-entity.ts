import { type EntityId, parseNamedEntityId } from '@vestibule/federation';
import { html, type Markup } from '@vestibule/http/pages';
import { DomainError } from '@vestibule/protocol';
import { NO_ENTITY } from './explain-action.js';

/** What a confirmation field takes. */
const MAX_CONFIRMATION_LENGTH = 255;

/** Shown beside a confirmation field. */
export const NO_CONFIRMATION = 'The typed confirmation differs: nothing was changed.';

/**
 * Parses the identifier of the entity that a request is about.
 * @throws DomainError `invalid_request`
 */
export function requireEntity(text: string): EntityId {
  const entityId = parseNamedEntityId(text);
  if (entityId === undefined) throw new DomainError('invalid_request', NO_ENTITY);
  return entityId;
}

/** What must be typed to confirm: the identifier, or the host of one that is too long for that. */
export function confirmationWord(entityId: EntityId): string {
  return entityId.length <= MAX_CONFIRMATION_LENGTH ? entityId : new URL(entityId).host;
}

/** The hidden field with the entity that a form is about. */
export function entityField(entityId: EntityId): Markup {
  return html`<input type="hidden" name="entity" value="${entityId}">`;
}
