export type {
  AddedClient,
  ArtifactRecord,
  AuthorizationRecord,
  FoundArtifact,
  FoundSession,
  ProviderPayload,
  ProviderRecords,
  RefreshTokenRecord,
  SessionClientRecord,
  SessionRecord,
  StoredRecord,
} from './provider-records.js';
