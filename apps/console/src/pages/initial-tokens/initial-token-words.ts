import type { InitialAccessToken } from '@vestibule/clients/registration';
import type { ListedTokenState } from '@vestibule/database';
import type { Markup } from '@vestibule/http/pages';
import type { EpochSeconds } from '@vestibule/protocol';
import { stateWord } from '../../frame/parts.js';

/** Digits of the digest that name a token in audit events. */
const SHORT_ID_LENGTH = 8;

/** The identifier of a token in audit events. */
export function shortIdOf({ digest }: Pick<InitialAccessToken, 'digest'>): string {
  return Buffer.from(digest).toString('hex').slice(0, SHORT_ID_LENGTH);
}

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
