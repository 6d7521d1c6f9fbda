import { ClientMetadataSchema, readLanguageName } from '@vestibule/metadata';
import { isGrantType, type JsonObject, type JsonValue } from '@vestibule/protocol';
import { isIdle, plainName } from './entry-members.js';

/** Members of a foreign client, sorted. */
export interface CarriedMetadata {
  readonly metadata: JsonObject;
  readonly warnings: readonly string[];
}

const KNOWN: ReadonlySet<string> = new Set(Object.keys(ClientMetadataSchema.properties));

/**
 * Takes over the members that are understood here under the same names, language-tagged ones included, and says of
 * every other one that it is left behind, except where it says nothing or belongs to `expected`.
 */
export function carriedMetadata(entry: JsonObject, expected: readonly string[]): CarriedMetadata {
  const members: [string, JsonValue][] = [];
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(entry)) {
    if (KNOWN.has(readLanguageName(name).member)) {
      if (value !== null && value !== '') members.push([name, value]);
    } else if (!expected.includes(name) && !isIdle(value)) {
      warnings.push(`The member ${plainName(name)} is not understood here.`);
    }
  }
  const flows = performedFlows(Object.fromEntries(members));
  return { metadata: flows.metadata, warnings: [...flows.warnings, ...warnings] };
}

/** Leaves out grant types that nobody can register here, and the response type `none`, which gives nothing. */
export function performedFlows(metadata: JsonObject): CarriedMetadata {
  const { grant_types: grantTypes, response_types: responseTypes } = metadata;
  const kept = Array.isArray(grantTypes) ? grantTypes.filter(isKeptGrantType) : undefined;
  const useful = Array.isArray(responseTypes) ? responseTypes.filter((type) => type !== 'none') : undefined;
  const warnings: string[] = [];
  if (Array.isArray(grantTypes) && kept?.length !== grantTypes.length)
    warnings.push('Grant types that cannot be registered here are left out.');
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

// What is no text is kept for the rules to refuse.
function isKeptGrantType(value: JsonValue): boolean {
  return typeof value !== 'string' || isGrantType(value);
}
