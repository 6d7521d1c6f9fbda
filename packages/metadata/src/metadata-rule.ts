import type { JsonObject } from '@vestibule/protocol/json';
import type { EffectiveMembers } from './metadata-defaults.js';
import type { MemberName } from './metadata-schema.js';
import type { MetadataSettings } from './metadata-settings.js';
import type { SupportedMetadata } from './supported-metadata.js';

/** Input of a rule. */
export interface RuleContext {
  /** The members as they were sent. */
  readonly input: JsonObject;
  readonly members: EffectiveMembers;
  /** Language-tagged variants by their full names. */
  readonly localized: ReadonlyMap<string, string>;
  readonly supported: SupportedMetadata;
  readonly settings: MetadataSettings;
}

/**
 * A rule on client metadata.
 * @throws DomainError `invalid_redirect_uri` or `invalid_client_metadata` when it is violated.
 */
export type MetadataRule = (context: RuleContext) => void;

/** Names an element of an array: the member, and its index in the request. */
export function elementName(
  { input }: Pick<RuleContext, 'input'>,
  member: MemberName,
  value: string,
): string {
  const given = input[member];
  const index = Array.isArray(given) ? given.indexOf(value) : -1;
  return index === -1 ? member : `${member}[${index}]`;
}
