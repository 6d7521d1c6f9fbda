import { GRANT_TYPES } from '@vestibule/protocol/constants';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ALL_SCOPES,
  type GrantedScopes,
  NO_SCOPES,
  OPEN_SCOPES,
  permitsGrantType,
  permitsScopeValue,
  subtractGrantedScopes,
  uniteGrantedScopes,
} from './granted-scopes.js';
import {
  formatGrantedScopes,
  isRegistrationScope,
  parseGrantedScopes,
  parseRegistrationScope,
} from './registration-scope.js';
import { EMPTY_SCOPE, formatScope, parseScope, permitsIntrospection, type Scope } from './scope.js';

function scopeOf(text: string): Scope {
  const scope = parseScope(text);
  if (scope === undefined) throw new Error(`no scope: ${text}`);
  return scope;
}

const grantedScopesOf = (text: string) => parseGrantedScopes(scopeOf(text));
const format = (grantedScopes: GrantedScopes) => formatScope(formatGrantedScopes(grantedScopes));

const scopeValue = fc.string({ unit: fc.constantFrom(...'abAZ09:/.-_~!'), minLength: 1, maxLength: 12 });
const limitedGrantedScopes = fc.record({
  grantTypes: fc.subarray([...GRANT_TYPES]).map((grantTypes) => new Set(grantTypes)),
  scopeValues: fc.oneof(
    fc.constant('any' as const),
    fc.uniqueArray(scopeValue).map((values) => new Set(values)),
  ),
  data: fc.boolean(),
  setId: fc.boolean(),
  setSecret: fc.boolean(),
});
const anyGrantedScopes: fc.Arbitrary<GrantedScopes> = fc.oneof(fc.constant(ALL_SCOPES), limitedGrantedScopes);

describe('parseGrantedScopes (registration/API.md#scopes)', () => {
  it('grants each grant type for its own value', () => {
    const grants = {
      code: 'authorization_code',
      implicit: 'implicit',
      refresh: 'refresh_token',
      password: 'password',
      client: 'client_credentials',
      jwt: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      saml: 'urn:ietf:params:oauth:grant-type:saml2-bearer',
    };
    for (const [name, grantType] of Object.entries(grants))
      expect(grantedScopesOf(`client-reg:grant:${name}`)).toEqual({
        ...NO_SCOPES,
        grantTypes: new Set([grantType]),
      });
  });

  it('grants an extension grant type for its own name, and formats it back', () => {
    for (const grantType of [
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'https://as.example/grants/x',
    ]) {
      const grantedScopes = grantedScopesOf(`client-reg:grant:${grantType}`);
      expect(grantedScopes).toEqual({ ...NO_SCOPES, grantTypes: new Set([grantType]) });
      expect(format(grantedScopes)).toBe(`client-reg:grant:${grantType}`);
      expect(permitsGrantType(grantedScopes, grantType)).toBe(true);
      expect(permitsGrantType(OPEN_SCOPES, grantType)).toBe(false);
      expect(permitsGrantType(ALL_SCOPES, grantType)).toBe(true);
    }
  });

  it('grants everything for client-reg, whatever other values there are', () => {
    for (const text of ['client-reg', 'client-reg client-reg:data', 'openid client-reg:scope:a client-reg'])
      expect(grantedScopesOf(text)).toBe(ALL_SCOPES);
  });

  it('grants any scope value for client-reg:scope, and otherwise exactly the appended one', () => {
    expect(grantedScopesOf('client-reg:scope').scopeValues).toBe('any');
    expect(grantedScopesOf('client-reg:scope:openid').scopeValues).toEqual(new Set(['openid']));
    expect(grantedScopesOf('client-reg:scope:a client-reg:scope:b').scopeValues).toEqual(new Set(['a', 'b']));
    expect(grantedScopesOf('client-reg:scope:a client-reg:scope').scopeValues).toBe('any');
    const address = 'https://as.example/token/introspect';
    expect(grantedScopesOf(`client-reg:scope:${address}`).scopeValues).toEqual(new Set([address]));
  });

  it('grants data and the presets for their values', () => {
    expect(grantedScopesOf('client-reg:data')).toEqual({ ...NO_SCOPES, data: true });
    expect(grantedScopesOf('client-reg:set-id')).toEqual({ ...NO_SCOPES, setId: true });
    expect(grantedScopesOf('client-reg:set-secret')).toEqual({ ...NO_SCOPES, setSecret: true });
  });

  it('grants nothing for any other value, however similar', () => {
    const misses = [
      'client-regx',
      'client-reg:',
      'client-reg:all',
      'client-reg:grant',
      'client-reg:grant:',
      'client-reg:grant:codex',
      'client-reg:grant:authorization_code',
      'client-reg:grant:code:x',
      'client-reg:grant:urn:x',
      'client-reg:grant:https://',
      'client-reg:grant:javascript:x',
      'client-reg:grant:urn:ietf:params:oauth:grant-type:jwt-bearer',
      'client-reg:scope:',
      'client-reg:scopes',
      'client-reg:data:x',
      'client-reg:set-id:x',
      'client-reg:set',
      'CLIENT-REG',
      'Client-Reg:data',
      'client-reg:DATA',
      'client-reg:grant:Code',
      'xclient-reg',
      'client_reg',
      'constructor',
      '__proto__',
      'openid',
    ];
    for (const value of misses) {
      expect(grantedScopesOf(value), value).toEqual(NO_SCOPES);
      expect(isRegistrationScope(scopeOf(value)), value).toBe(false);
    }
    expect(parseGrantedScopes(EMPTY_SCOPE)).toEqual(NO_SCOPES);
  });

  it('ignores values outside the grammar', () => {
    expect(grantedScopesOf('openid client-reg:data client-reg:grant:codex')).toEqual({
      ...NO_SCOPES,
      data: true,
    });
  });

  it('never grants more for a part of a scope than for the whole', () => {
    fc.assert(
      fc.property(anyGrantedScopes, anyGrantedScopes, (a, b) => {
        const both = scopeOf(`${format(a)} ${format(b)}`.trim());
        expect(parseGrantedScopes(both)).toEqual(uniteGrantedScopes(a, b));
      }),
    );
  });
});

describe('formatGrantedScopes', () => {
  it('formats text that parseGrantedScopes reads back', () => {
    fc.assert(
      fc.property(anyGrantedScopes, (grantedScopes) => {
        expect(parseGrantedScopes(formatGrantedScopes(grantedScopes))).toEqual(grantedScopes);
      }),
    );
  });

  it('formats equal granted scopes equally, in one order', () => {
    const messy = scopeOf(
      'client-reg:set-secret client-reg:scope:b client-reg:data client-reg:scope:a client-reg:grant:saml client-reg:grant:code',
    );
    expect(format(parseGrantedScopes(messy))).toBe(
      'client-reg:grant:code client-reg:grant:saml client-reg:scope:a client-reg:scope:b client-reg:data client-reg:set-secret',
    );
    expect(format(OPEN_SCOPES)).toBe(
      'client-reg:grant:code client-reg:grant:implicit client-reg:grant:refresh',
    );
    expect(format(ALL_SCOPES)).toBe('client-reg');
    expect(format(NO_SCOPES)).toBe('');
  });

  it('refuses granted scopes with an invalid scope value, which would read back as other granted scopes', () => {
    for (const value of ['', 'a b', 'a client-reg', ' ', '"', 'ä', 'a\n'])
      expect(() => format({ ...NO_SCOPES, scopeValues: new Set([value]) }), JSON.stringify(value)).toThrow(
        TypeError,
      );
  });
});

describe('isRegistrationScope', () => {
  it('is true if the scope contains a value of the grammar', () => {
    for (const text of ['client-reg', 'openid client-reg:data', 'client-reg:scope:x y'])
      expect(isRegistrationScope(scopeOf(text))).toBe(true);
    for (const text of ['', 'openid', 'client-reg:x']) expect(isRegistrationScope(scopeOf(text))).toBe(false);
  });
});

describe('uniteGrantedScopes', () => {
  it('permits what either permits, and nothing else', () => {
    const value = fc.oneof(scopeValue, fc.constantFrom('a', 'b'));
    const grantType = fc.constantFrom(...GRANT_TYPES, 'urn:example:other');
    fc.assert(
      fc.property(anyGrantedScopes, anyGrantedScopes, grantType, value, (a, b, grant, scope) => {
        const united = uniteGrantedScopes(a, b);
        expect(permitsGrantType(united, grant)).toBe(
          permitsGrantType(a, grant) || permitsGrantType(b, grant),
        );
        expect(permitsScopeValue(united, scope)).toBe(
          permitsScopeValue(a, scope) || permitsScopeValue(b, scope),
        );
        for (const right of ['data', 'setId', 'setSecret'] as const)
          expect(united[right]).toBe(a[right] || b[right]);
        expect(uniteGrantedScopes(b, a)).toEqual(united);
      }),
    );
  });

  it('does not change its arguments', () => {
    uniteGrantedScopes(NO_SCOPES, OPEN_SCOPES);
    expect(NO_SCOPES.grantTypes.size).toBe(0);
  });
});

describe('subtractGrantedScopes', () => {
  const value = fc.oneof(scopeValue, fc.constantFrom('a', 'b'));

  it('permits what was permitted and is not subtracted; unlimited granted scopes stay as before', () => {
    const grantType = fc.constantFrom(...GRANT_TYPES, 'urn:example:other');
    fc.assert(
      fc.property(
        limitedGrantedScopes,
        anyGrantedScopes,
        grantType,
        value,
        (grantedScopes, taken, grant, scope) => {
          const left = subtractGrantedScopes(grantedScopes, taken);
          expect(permitsGrantType(left, grant)).toBe(
            permitsGrantType(grantedScopes, grant) && !permitsGrantType(taken, grant),
          );
          expect(permitsScopeValue(left, scope)).toBe(
            permitsScopeValue(grantedScopes, scope) &&
              (grantedScopes.scopeValues === 'any' || !permitsScopeValue(taken, scope)),
          );
          for (const right of ['data', 'setId', 'setSecret'] as const)
            expect(left[right]).toBe(grantedScopes[right] && !taken[right]);
          expect(subtractGrantedScopes(ALL_SCOPES, taken)).toBe(ALL_SCOPES);
        },
      ),
    );
  });

  it('removes what a registration needed and keeps what the next one needs, after a union', () => {
    const need = fc.record({
      grantTypes: fc.subarray([...GRANT_TYPES]).map((grantTypes) => new Set(grantTypes)),
      scopeValues: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')).map((values) => new Set(values)),
      data: fc.boolean(),
      setId: fc.constant(false),
      setSecret: fc.constant(false),
    });
    // Whatever a client was registered with, its granted scopes cover what it needs.
    const grantedScopesAndNeed = fc.tuple(anyGrantedScopes, need).map(([grantedScopes, before]) => ({
      grantedScopes: uniteGrantedScopes(grantedScopes, before),
      before,
    }));
    fc.assert(
      fc.property(grantedScopesAndNeed, need, ({ grantedScopes, before }, after) => {
        const settled = uniteGrantedScopes(subtractGrantedScopes(grantedScopes, before), after);
        // Never more than before plus what is needed now, and everything that is needed now.
        expect(uniteGrantedScopes(settled, uniteGrantedScopes(grantedScopes, after))).toEqual(
          uniteGrantedScopes(grantedScopes, after),
        );
        expect(uniteGrantedScopes(settled, after)).toEqual(settled);
        if (grantedScopes.grantTypes === 'any') return;
        for (const grant of before.grantTypes)
          expect(permitsGrantType(settled, grant)).toBe(after.grantTypes.has(grant));
        if (before.data) expect(settled.data).toBe(after.data);
        if (grantedScopes.scopeValues === 'any') return;
        for (const scope of before.scopeValues)
          expect(permitsScopeValue(settled, scope)).toBe(after.scopeValues.has(scope));
      }),
    );
  });

  it('does not change its arguments', () => {
    subtractGrantedScopes(OPEN_SCOPES, OPEN_SCOPES);
    expect(OPEN_SCOPES.grantTypes.size).toBe(3);
  });
});

describe('permits', () => {
  it('checks the grant types and scope values of limited granted scopes', () => {
    expect(permitsGrantType(OPEN_SCOPES, 'authorization_code')).toBe(true);
    for (const grantType of ['client_credentials', 'password', '', 'Authorization_Code'])
      expect(permitsGrantType(OPEN_SCOPES, grantType)).toBe(false);
    expect(permitsScopeValue(OPEN_SCOPES, 'openid')).toBe(false);
    expect(permitsScopeValue(grantedScopesOf('client-reg:scope:openid'), 'openid')).toBe(true);
    expect(permitsScopeValue(grantedScopesOf('client-reg:scope:openid'), 'openid2')).toBe(false);
  });

  it('permits everything under unlimited granted scopes', () => {
    expect(permitsGrantType(ALL_SCOPES, 'urn:example:other')).toBe(true);
    expect(permitsScopeValue(ALL_SCOPES, 'anything')).toBe(true);
  });
});

describe('permitsIntrospection (introspection/API.md#callers)', () => {
  it('requires exactly the address of the endpoint among the values', () => {
    const address = 'https://as.example/token/introspect';
    expect(permitsIntrospection(scopeOf(`openid ${address}`), address)).toBe(true);
    for (const text of [
      '',
      'openid',
      `${address}/`,
      `${address}x`,
      'https://as.example/token',
      address.toUpperCase(),
      'client-reg',
    ])
      expect(permitsIntrospection(scopeOf(text), address), text).toBe(false);
  });
});

it('parses a scope of an initial access token only if each value gives a right', () => {
  expect(parseRegistrationScope('client-reg:grant:code client-reg:scope:read')).toEqual(
    scopeOf('client-reg:grant:code client-reg:scope:read'),
  );
  for (const text of [
    '',
    ' ',
    'openid',
    'client-reg openid',
    'client-reg  client-reg:data',
    'client-reg:x',
    'a\nb',
  ])
    expect(parseRegistrationScope(text), text).toBeUndefined();
});
