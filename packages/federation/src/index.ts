export { configurationAddress, type EntityId, parseEntityId, parseNamedEntityId } from './entity-id.js';
export { FEDERATION_REASONS, FederationFailure, type FederationReason } from './federation-failure.js';
export { DRAFT_PROFILE_USES, type DraftProfileUse, type Profile, type ProfileRules } from './profile.js';
