import type { House } from '../stage/house.js';
import type { History } from './history.js';
import type { TokenPool } from './token-pool.js';

/** How much is done. */
export interface Pace {
  readonly readers: number;
  /** Between an answer and the next question of a reader. */
  readonly readMs: number;
  readonly issuers: number;
  /** Tokens that live at a time. */
  readonly tokens: number;
  readonly revokers: number;
  /** Between one revocation of a revoker and the next. */
  readonly revokeMs: number;
  /** Whether every instance is asked about a token just before it is revoked, so that each has it in its memory. */
  readonly remindsInstances?: boolean;
}

/** The usual pace, which leaves two cores room for what fails. */
export const PACE: Pace = { readers: 8, readMs: 8, issuers: 4, tokens: 160, revokers: 1, revokeMs: 80 };

/** What everybody works with. */
export interface Work {
  readonly house: House;
  readonly history: History;
  readonly pool: TokenPool;
  readonly pace: Pace;
  readonly isOver: () => boolean;
}
