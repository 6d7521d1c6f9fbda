import type { EpochSeconds } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';
import type { RefusalReason } from './verification.js';

/** What every token must meet. */
export interface TokenRules {
  /** Names of this API, without a slash at the end; `undefined` if the audience is not checked. */
  readonly audience: ReadonlySet<string> | undefined;
  readonly clockSkewSeconds: number;
}

/** A rule that every accepted token meets. */
export interface TokenRule {
  readonly reason: RefusalReason;
  /** What the rule requires, for operators. */
  readonly title: string;
  readonly isMet: (token: AccessToken, rules: TokenRules, now: EpochSeconds) => boolean;
}

/** The rules about the token itself, in order. They run on every request, cached or not. */
export const TOKEN_RULES: readonly TokenRule[] = [
  {
    reason: 'expired',
    title: 'exp lies in the future',
    isMet: ({ expiresAt }, { clockSkewSeconds }, now) =>
      expiresAt === undefined || now < expiresAt + clockSkewSeconds,
  },
  {
    reason: 'not_yet_valid',
    title: 'nbf lies in the past',
    isMet: ({ notBefore }, { clockSkewSeconds }, now) =>
      notBefore === undefined || notBefore <= now + clockSkewSeconds,
  },
  {
    reason: 'audience',
    title: 'aud names this API',
    isMet: ({ audience }, { audience: names }) => names === undefined || isNamed(audience, names),
  },
];

/** Why a token is refused; `undefined` if it meets all rules. */
export function whyTokenRefused(
  token: AccessToken,
  rules: TokenRules,
  now: EpochSeconds,
): RefusalReason | undefined {
  for (const rule of TOKEN_RULES) if (!rule.isMet(token, rules, now)) return rule.reason;
  return undefined;
}

/** Whether a token has every value of a required scope (RFC 6749 section 3.3); several values are space-separated. */
export function hasScope({ scope }: AccessToken, required: string | undefined): boolean {
  if (required === undefined || required === '') return true;
  if (!required.includes(' ')) return scope.includes(required);
  return required.split(' ').every((value) => value === '' || scope.includes(value));
}

/** A name without its last slash: `https://api.example` and `https://api.example/` are one URI (RFC 3986 section 6.2.3). */
export function audienceName(name: string): string {
  return name.endsWith('/') ? name.slice(0, -1) : name;
}

function isNamed(audience: readonly string[], names: ReadonlySet<string>): boolean {
  for (const name of audience) if (names.has(audienceName(name))) return true;
  return false;
}
