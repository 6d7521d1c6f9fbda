import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import { tokenKey } from '../cache/token-cache.js';
import { presentedToken } from '../request/presented-token.js';
import type { TokenFinding, TokenSource } from '../token-source.js';
import type { AccessToken } from '../verification/access-token.js';
import { hasScope, TOKEN_RULES, type TokenRules } from '../verification/token-rules.js';
import type { RequestRequirements } from '../verify-request.js';

/** A check of a token. */
export interface ExplainedCheck {
  readonly check: string;
  readonly isPassed: boolean;
  /** What was found. Never the token itself, and nothing about its subject. */
  readonly detail: string;
}

/** Why a token is accepted or refused. */
export interface Explanation {
  /** Whether a request with the token passes, provided that it proves the key that the token is bound to. */
  readonly isAccepted: boolean;
  /** The checks in order, up to the first one without which the next ones have no meaning. */
  readonly checks: readonly ExplainedCheck[];
}

/** Explains a token to operators. Never rejects. */
export type ExplainToken = (token: string, requirements?: RequestRequirements) => Promise<Explanation>;

/** Dependencies of {@link tokenExplainer}. */
export interface ExplainerDeps {
  readonly source: TokenSource;
  readonly rules: TokenRules;
  readonly isDpopRequired: boolean;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
}

/** Creates the explainer. It looks into the cache, and introspects, as verifying does. */
export function tokenExplainer(deps: ExplainerDeps): ExplainToken {
  return async (token, { scope } = {}) => {
    const presented = presentedToken({
      header: (name) => (name === 'authorization' ? `Bearer ${token}` : undefined),
    });
    if (presented.kind !== 'token')
      return explanation([failed('syntax', 'this cannot be a token (RFC 6750 section 2.1)')]);
    const key = tokenKey(token);
    const cached = deps.source.cached(key, deps.monotonic());
    const found: TokenFinding =
      cached === undefined
        ? await deps.source.introspect(key, token)
        : { outcome: 'accepted', token: cached.token };
    const checks = [
      passed('syntax', 'a token'),
      passed('cache', cached === undefined ? 'not cached' : 'cached, and known to be current'),
    ];
    if (found.outcome !== 'accepted') return explanation([...checks, withoutState(found)]);
    return explanation([
      ...checks,
      passed('introspection', 'active'),
      ...ruleChecks(found.token, deps),
      bindingCheck(found.token, deps.isDpopRequired),
      scopeCheck(found.token, scope),
    ]);
  };
}

function explanation(checks: readonly ExplainedCheck[]): Explanation {
  return { isAccepted: checks.every(({ isPassed }) => isPassed), checks };
}

function withoutState(found: Exclude<TokenFinding, { outcome: 'accepted' }>): ExplainedCheck {
  if (found.outcome === 'unavailable') return failed('introspection', found.failure.message);
  return failed(
    'introspection',
    'not active: unknown, expired, revoked, or for another API than this client',
  );
}

function ruleChecks(token: AccessToken, { rules, clock }: ExplainerDeps): readonly ExplainedCheck[] {
  const now = nowSeconds(clock);
  const details: Readonly<Record<string, string>> = {
    expired: `exp ${token.expiresAt ?? 'is absent'}, now ${now}`,
    not_yet_valid: `nbf ${token.notBefore ?? 'is absent'}, now ${now}`,
    audience: `aud ${JSON.stringify(token.audience)}, this API ${names(rules)}`,
  };
  return TOKEN_RULES.map((rule) => ({
    check: rule.title,
    isPassed: rule.isMet(token, rules, now),
    detail: details[rule.reason] ?? '',
  }));
}

function names({ audience }: TokenRules): string {
  return audience === undefined ? 'does not check it' : `is ${[...audience].join(' or ')}`;
}

function bindingCheck({ confirmation }: AccessToken, isDpopRequired: boolean): ExplainedCheck {
  const methods = Object.keys(confirmation);
  const unknown = methods.filter((method) => method !== 'jkt' && method !== 'x5t#S256');
  if (unknown.length > 0) return failed('binding', 'bound in a way that is not supported');
  if (isDpopRequired && !methods.includes('jkt'))
    return failed('binding', 'not bound to a DPoP key, which this API requires');
  if (methods.length === 0) return passed('binding', 'a bearer token');
  const needs = [
    ...(methods.includes('jkt') ? ['a DPoP proof'] : []),
    ...(methods.includes('x5t#S256') ? ['the client certificate'] : []),
  ];
  return passed('binding', `bound: requests need ${needs.join(' and ')}`);
}

function scopeCheck(token: AccessToken, required: string | undefined): ExplainedCheck {
  const detail = `scope "${token.scope.join(' ')}", required "${required ?? ''}"`;
  return { check: 'scope', isPassed: hasScope(token, required), detail };
}

function passed(check: string, detail: string): ExplainedCheck {
  return { check, isPassed: true, detail };
}

function failed(check: string, detail: string): ExplainedCheck {
  return { check, isPassed: false, detail };
}
