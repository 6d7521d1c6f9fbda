import { inOneOrder, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import type { ClientMetadata } from './client-metadata.js';
import { taggedMember } from './language-names.js';
import { MEMBER_NAMES } from './metadata-schema.js';

/**
 * Orders metadata for output: members in schema order, language-tagged variants after their member, and the members of
 * each value in a fixed order. Stores need not keep an order.
 */
export function orderMetadata(metadata: ClientMetadata): ClientMetadata {
  const ordered = inSchemaOrder(metadata);
  for (const name of Object.keys(ordered)) ordered[name] = inOneOrder(ordered[name]) as JsonValue;
  return ordered as ClientMetadata;
}

/** Returns the known members in schema order. */
export function inSchemaOrder(members: JsonObject): Record<string, JsonValue> {
  const tagged = Object.keys(members)
    .filter((name) => taggedMember(name) !== undefined)
    .sort();
  const ordered: Record<string, JsonValue> = {};
  const keep = (name: string) => {
    const value = members[name];
    if (value !== undefined) ordered[name] = value;
  };
  for (const name of MEMBER_NAMES) {
    keep(name);
    for (const variant of tagged) if (taggedMember(variant) === name) keep(variant);
  }
  return ordered;
}
