import type { EffectiveMembers } from './metadata-defaults.js';
import type { MetadataSettings } from './metadata-settings.js';
import type { SupportedMetadata } from './supported-metadata.js';

/** What a rule judges. */
export interface RuleContext {
  readonly members: EffectiveMembers;
  /** Language-tagged variants by their full names. */
  readonly localised: ReadonlyMap<string, string>;
  readonly supported: SupportedMetadata;
  readonly settings: MetadataSettings;
}

/**
 * One rule on client metadata.
 * @throws DomainError `invalid_redirect_uri` or `invalid_client_metadata` when it is broken.
 */
export type MetadataRule = (context: RuleContext) => void;
