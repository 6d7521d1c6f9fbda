import { boundedMap } from '@vestibule/protocol/runtime';
import type { AccessToken } from '../access-token.js';
import { type CacheTag, cacheTag } from './cache-tag.js';

/** Keeps one copy of the values that many tokens share, because every read creates new ones. */
export interface Deduplication {
  /** Replaces the values of a token by equal shared ones. */
  token<Token extends AccessToken>(token: Token): Token;
  /** Tag of a client. */
  clientTag(id: string): CacheTag;
  /** Tag of an issuer. */
  issuerTag(issuer: string): CacheTag;
}

/** More clients, scopes and audiences than most deployments have; beyond it, copies are made again. */
const MAX_VALUES = 5_000;

/** Creates an empty collection of shared values. */
export function deduplication(): Deduplication {
  const values = shared<string>();
  const audiences = shared<readonly string[]>();
  const audiencesOfOne = shared<readonly string[]>();
  const clientNames = shared<CacheTag>();
  const issuerNames = shared<CacheTag>();
  // Equal texts have one type.
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
    clientTag: (id) => clientNames(id, () => cacheTag('client', id)),
    issuerTag: (issuer) => issuerNames(issuer, () => cacheTag('issuer', issuer)),
  };
}

/** Creates a bounded collection. */
function shared<Value extends NonNullable<unknown>>(): (key: string, make: () => Value) => Value {
  const known = boundedMap<string, Value>({ maxEntries: MAX_VALUES });
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = make();
    known.set(key, value);
    return value;
  };
}
