import type { ConsoleDeps } from '../../deps.js';

/** What the pages of clients work on. */
export type ClientsDeps = Pick<ConsoleDeps, 'store' | 'registration' | 'loginClient'>;
