export { isClientExpired } from '../client-expiry.js';
export type { ManagedClient } from '../managed-client.js';
export { authorizeManagement, type ManagementRequest } from './authorize-management.js';
export { changeClient } from './change-client.js';
export {
  type ClientFilter,
  type ClientPage,
  type ClientPosition,
  type ClientSelection,
  MAX_NAME_PART_LENGTH,
  MAX_NAME_PREFIX_LENGTH,
  MIN_NAME_PART_LENGTH,
} from './client-selection.js';
export {
  type ClientStatusInformation,
  changeClientStatus,
  readClientStatus,
  rejectClient,
} from './client-status.js';
export { type DeleteClientInput, deleteClient } from './delete-client.js';
export { authorizeListing, type ListClientsInput, listClients } from './list-clients.js';
export { keepingCredentials } from './next-credentials.js';
export { pruneClients } from './prune-clients.js';
export { readClient } from './read-client.js';
export { requireTags } from './require-match.js';
export { rotateClientSecret, rotateRegistrationToken } from './rotate-credentials.js';
export {
  dryRunUpdate,
  previewUpdate,
  type UpdateClientInput,
  type UpdatePreview,
  updateClient,
} from './update-client.js';
