import type { LoneToken } from './lone-token.js';

/** The tokens of a trial. */
export interface TokenPool {
  /** Every issued token. */
  readonly all: readonly LoneToken[];
  readonly live: number;
  add(token: LoneToken): void;
  /** Takes out the oldest token, for revocation. */
  takeOldest(): LoneToken | undefined;
  /** Takes out any token, for revocation. */
  takeAny(): LoneToken | undefined;
  /** A token to introspect: mostly a live one, or one that ended recently. */
  pick(): LoneToken | undefined;
}

const LIVE_SHARE = 0.75;
const REMEMBERED_DEAD = 1_500;

/** Creates an empty pool. */
export function tokenPool(): TokenPool {
  const all: LoneToken[] = [];
  const live: LoneToken[] = [];
  const dead: LoneToken[] = [];
  const invalidate = (token: LoneToken) => {
    dead.push(token);
    if (dead.length > REMEMBERED_DEAD) dead.shift();
  };
  const someOf = (tokens: readonly LoneToken[]) => tokens[Math.floor(Math.random() * tokens.length)];
  return {
    all,
    get live() {
      return live.length;
    },
    add: (token) => {
      all.push(token);
      live.push(token);
    },
    takeOldest: () => {
      const token = live.shift();
      if (token !== undefined) invalidate(token);
      return token;
    },
    takeAny: () => {
      const [token] = live.splice(Math.floor(Math.random() * live.length), 1);
      if (token !== undefined) invalidate(token);
      return token;
    },
    pick: () => (Math.random() < LIVE_SHARE ? someOf(live) : undefined) ?? someOf(dead) ?? someOf(live),
  };
}
