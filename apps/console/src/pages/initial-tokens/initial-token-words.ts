import type { ListedTokenState } from '@vestibule/database';
import type { Markup } from '@vestibule/http/pages';
import type { EpochSeconds } from '@vestibule/protocol';
import { stateWord } from '../../frame/parts.js';

/** The path of the page of a token. */
export function initialTokenPath(shortId: string): string {
  return `/initial-tokens/${shortId}`;
}

/** Whether a token can still be used. */
export function isUsable({ usesLeft, expiresAt }: ListedTokenState, now: EpochSeconds): boolean {
  return usesLeft > 0 && expiresAt > now;
}

/** Renders the state of a token. */
export function initialTokenState(token: ListedTokenState, now: EpochSeconds): Markup {
  if (isUsable(token, now)) return stateWord('usable', 'good');
  return stateWord(token.expiresAt > now ? 'used up' : 'expired', 'bad');
}
