export { type AppliedClient, adoptClient, applyClient, type SecretDelivery } from './apply-client.js';
export type { MemberChange } from './client-change.js';
export { type DeclaredClient, type ReadClient, readDeclaredClient } from './declared-client.js';
export {
  type ClientChange,
  type ClientPlan,
  evaluateClient,
  type FileAuthority,
  ownershipRefusal,
} from './evaluate-client.js';
export type { ClientVersion, OwnedClients, OwnedStretch } from './owned-clients.js';
export { clientsBeyondFiles, deleteOwnedClient } from './prune-owned.js';
