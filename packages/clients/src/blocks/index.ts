export { type BlockDeps, type BlockInput, blockClients, endBlockedClients } from './block-clients.js';
export { blockedClientRefusal } from './blocked-client.js';
export {
  type BlockChange,
  type BlockedClient,
  type BlockedStretch,
  type ClientBlock,
  type ClientBlockKind,
  type ClientBlockName,
  type ClientBlocks,
  type ClientStretch,
  type PendingBlock,
  parseBlockedHost,
  parseBlockedRedirectUri,
  parseBlockedSoftware,
} from './client-blocks.js';
