import { type EntityId, parseEntityId } from '../entity-id.js';

/**
 * An entity identifier of the tests.
 * @throws TypeError if the text is not one
 */
export function anEntityId(text: string): EntityId {
  const id = parseEntityId(text, ['127.0.0.1', 'localhost']);
  if (id === undefined) throw new TypeError(`not an entity identifier: ${text}`);
  return id;
}
