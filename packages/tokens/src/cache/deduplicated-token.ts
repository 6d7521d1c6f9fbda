import type { AccessToken } from '../access-token.js';
import { type CacheTag, cacheTag } from '../cache-tag.js';

/** Keeps one copy of what many tokens share: what they are read from makes new ones each time. */
export interface Deduplication {
  /** The token with shared values in place of equal ones. */
  token<Token extends AccessToken>(token: Token): Token;
  /** The name of a client. */
  clientName(id: string): CacheTag;
  /** The name of an issuer. */
  issuerName(issuer: string): CacheTag;
}

/** Deployments have fewer clients, scopes and audiences than this; with more of them copies are made again. */
const MAX_VALUES = 5_000;

/** An empty collection of shared values. */
export function deduplication(): Deduplication {
  const values = shared<string>();
  const audiences = shared<readonly string[]>();
  const audiencesOfOne = shared<readonly string[]>();
  const clientNames = shared<CacheTag>();
  const issuerNames = shared<CacheTag>();
  // Equal texts are of one type.
  const value = <Text extends string>(text: Text) => values(text, () => text) as Text;
  const audienceOf = (audience: readonly string[]) => {
    const [only] = audience;
    const make = () => audience.map(value);
    return audience.length === 1 && only !== undefined
      ? audiencesOfOne(only, make)
      : audiences(JSON.stringify(audience), make);
  };
  return {
    token: (token) => ({
      ...token,
      clientId: value(token.clientId),
      scope: value(token.scope),
      issuer: value(token.issuer),
      audience: audienceOf(token.audience),
    }),
    clientName: (id) => clientNames(id, () => cacheTag('client', id)),
    issuerName: (issuer) => issuerNames(issuer, () => cacheTag('issuer', issuer)),
  };
}

/** A bounded collection; when it is full it begins anew. */
function shared<Value>(): (key: string, make: () => Value) => Value {
  const known = new Map<string, Value>();
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MAX_VALUES) known.clear();
    const value = make();
    known.set(key, value);
    return value;
  };
}
