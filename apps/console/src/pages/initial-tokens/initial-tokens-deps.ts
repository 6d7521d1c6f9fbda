import type { ConsoleDeps } from '../../deps.js';

/** What the pages of initial access tokens work on. */
export type InitialTokensDeps = Pick<ConsoleDeps, 'store' | 'registration' | 'initialTokens'>;
