export type { AccessToken } from './access-token.js';
export type { AccessTokenStore, StoredAccessToken } from './access-token-store.js';
export {
  type FoundToken,
  readLiveToken,
  type TokenState,
  type TokenStateDeps,
  type TokenStates,
} from './token-state.js';
export { JWT_MAX_LENGTH, type TokenSyntax, tokenSyntax } from './token-syntax.js';
