export { ALGORITHM_MEMBERS } from './algorithm-members.js';
export { CHOICE_MEMBERS, ChoicesSchema, choicesOfMember } from './choice-members.js';
export { type ClientFileProblem, clientFileProblems, clientFileSchema } from './client-file.js';
export type { ClientMetadata } from './client-metadata.js';
export { discoveryMembers } from './discovery-members.js';
export { federationMembers } from './federation-members.js';
export { isStorableJson, storedJsonBytes } from './json-safety.js';
export { registeredResponseType } from './metadata-defaults.js';
export { invalidMetadata } from './metadata-error.js';
export { ClientMetadataSchema, MAX_SCOPE_LENGTH, MEMBER_NAMES, type MemberName } from './metadata-schema.js';
export { type MetadataSettings, STRICT_METADATA_SETTINGS } from './metadata-settings.js';
export { orderMetadata } from './order-metadata.js';
export { isBlankText } from './plain-text.js';
export { recognizeMembers } from './recognize-members.js';
export {
  checkSectorIdentifier,
  isInSector,
  type SectorMembers,
  sectorIdentifier,
} from './sector-identifier.js';
export {
  type AlgorithmUse,
  defaultSupportedMetadata,
  type SupportedAlgorithms,
  type SupportedMetadata,
  type SupportedMetadataOptions,
} from './supported-metadata.js';
export { completeClientMetadata, validateClientMetadata } from './validate-client-metadata.js';
