import { ClientMetadataSchema } from '@vestibule/metadata';
import { readLanguageName } from '@vestibule/metadata/language-names';
import { isGrantType } from '@vestibule/protocol/constants';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import { isIdle, plainName } from './entry-members.js';

/** Members of an exported client, by what happens to them. */
export interface CarriedMetadata {
  readonly metadata: JsonObject;
  readonly warnings: readonly string[];
}

const KNOWN: ReadonlySet<string> = new Set(Object.keys(ClientMetadataSchema.properties));

/**
 * Takes over the members that have the same name here, language-tagged ones included. Warns about every other member,
 * unless it is empty or listed in `expected`.
 */
export function carriedMetadata(entry: JsonObject, expected: readonly string[]): CarriedMetadata {
  const members: [string, JsonValue][] = [];
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(entry)) {
    if (KNOWN.has(readLanguageName(name).member)) {
      if (value !== null && value !== '') members.push([name, value]);
    } else if (!expected.includes(name) && !isIdle(value)) {
      warnings.push(`The member ${plainName(name)} is not supported.`);
    }
  }
  const flows = performedFlows(Object.fromEntries(members));
  return { metadata: flows.metadata, warnings: [...flows.warnings, ...warnings] };
}

/** Leaves out grant types that cannot be registered, and the response type `none`, which returns nothing. */
export function performedFlows(metadata: JsonObject): CarriedMetadata {
  const { grant_types: grantTypes, response_types: responseTypes } = metadata;
  const kept = Array.isArray(grantTypes) ? grantTypes.filter(isKeptGrantType) : undefined;
  const useful = Array.isArray(responseTypes) ? responseTypes.filter((type) => type !== 'none') : undefined;
  const warnings: string[] = [];
  if (Array.isArray(grantTypes) && kept?.length !== grantTypes.length)
    warnings.push('Grant types that cannot be registered are left out.');
  if (Array.isArray(responseTypes) && useful?.length !== responseTypes.length)
    warnings.push('The response type none is left out.');
  return {
    metadata: {
      ...metadata,
      ...(kept && { grant_types: kept }),
      ...(useful && { response_types: useful }),
    },
    warnings,
  };
}

// A value that is not a string is kept, so that the rules refuse it.
function isKeptGrantType(value: JsonValue): boolean {
  return typeof value !== 'string' || isGrantType(value);
}
