import type { LoneToken } from './lone-token.js';

/** The tokens of a trial. */
export interface TokenPool {
  /** Every token that was issued. */
  readonly all: readonly LoneToken[];
  readonly live: number;
  add(token: LoneToken): void;
  /** Takes out the token that has lived longest, to be revoked. */
  takeOldest(): LoneToken | undefined;
  /** Takes out any token, to be revoked. */
  takeAny(): LoneToken | undefined;
  /** Some token to ask about: mostly a live one, or one of those that died last. */
  pick(): LoneToken | undefined;
}

const LIVE_SHARE = 0.75;
const REMEMBERED_DEAD = 1_500;

/** No tokens yet. */
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
