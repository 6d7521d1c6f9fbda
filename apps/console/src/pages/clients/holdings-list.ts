import type { ClientHoldings } from '@vestibule/database';
import type { Markup } from '@vestibule/http/pages';
import { valueList } from '../../frame/parts.js';

const WORDS: Readonly<Record<keyof ClientHoldings, string>> = {
  accessTokens: 'Stored access tokens',
  refreshTokens: 'Refresh tokens',
  authorizations: 'Authorizations of end-users',
  sessions: 'Sessions of end-users',
  waitingDeliveries: 'Logout notifications that wait',
};

/** Counts end here. */
const MAX_COUNTED = 10_000;

/** Renders how much of these kinds belongs to a client. */
export function holdingsList(holdings: ClientHoldings, kinds: readonly (keyof ClientHoldings)[]): Markup {
  const counts = kinds.map((kind) => {
    const count = holdings[kind];
    const text = count.toLocaleString('en-US');
    return [WORDS[kind], count < MAX_COUNTED ? text : `${text} or more`] as const;
  });
  return valueList({
    ...Object.fromEntries(counts),
    ...(kinds.includes('accessTokens') && {
      'Self-contained access tokens': 'not stored, and so not counted',
    }),
  });
}
