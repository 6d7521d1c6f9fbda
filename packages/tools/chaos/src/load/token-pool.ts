import type { IsolatedToken } from './isolated-token.js';

/** The tokens of a trial. */
export interface TokenPool {
  /** Every issued token. */
  readonly all: readonly IsolatedToken[];
  readonly live: number;
  add(token: IsolatedToken): void;
  /** Takes out the oldest token, for revocation. */
  takeOldest(): IsolatedToken | undefined;
  /** Takes out any token, for revocation. */
  takeAny(): IsolatedToken | undefined;
  /** A token to introspect: mostly a live one, or one that ended recently. */
  pick(): IsolatedToken | undefined;
}

const LIVE_SHARE = 0.75;
const KEPT_INACTIVE = 1_500;

/** Creates an empty pool. */
export function tokenPool(): TokenPool {
  const all: IsolatedToken[] = [];
  const live: IsolatedToken[] = [];
  const inactive: IsolatedToken[] = [];
  const invalidate = (token: IsolatedToken) => {
    inactive.push(token);
    if (inactive.length > KEPT_INACTIVE) inactive.shift();
  };
  const someOf = (tokens: readonly IsolatedToken[]) => tokens[Math.floor(Math.random() * tokens.length)];
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
    pick: () => (Math.random() < LIVE_SHARE ? someOf(live) : undefined) ?? someOf(inactive) ?? someOf(live),
  };
}
