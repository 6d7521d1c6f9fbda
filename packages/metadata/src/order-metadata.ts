import { inOneOrder, type JsonObject, type JsonValue } from '@vestibule/protocol';
import type { ClientMetadata } from './client-metadata.js';
import { taggedMember } from './language-names.js';
import { MEMBER_NAMES } from './metadata-schema.js';

/**
 * The same metadata in the order in which it is shown: that of the schema, language-tagged variants after the member
 * that they repeat, and one order of the members of each value. Stores need not keep an order.
 */
export function orderMetadata(metadata: ClientMetadata): ClientMetadata {
  const ordered = inSchemaOrder(metadata);
  for (const name of Object.keys(ordered)) ordered[name] = inOneOrder(ordered[name]) as JsonValue;
  return ordered as ClientMetadata;
}

/** Members that are understood, in the order of the schema; all others left out. */
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
