import { GRANT_TYPES } from '@vestibule/protocol/constants';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ALL_RIGHTS,
  NO_RIGHTS,
  OPEN_RIGHTS,
  permitsGrantType,
  permitsScopeValue,
  type RegistrationRights,
  subtractRegistrationRights,
  uniteRegistrationRights,
} from './registration-rights.js';
import {
  formatRegistrationRights,
  isRegistrationScope,
  parseRegistrationRights,
  parseRegistrationScope,
} from './registration-scope.js';
import { EMPTY_SCOPE, formatScope, parseScope, permitsIntrospection, type Scope } from './scope.js';

function scopeOf(text: string): Scope {
  const scope = parseScope(text);
  if (scope === undefined) throw new Error(`no scope: ${text}`);
  return scope;
}

const rightsOf = (text: string) => parseRegistrationRights(scopeOf(text));
const format = (rights: RegistrationRights) => formatScope(formatRegistrationRights(rights));

const scopeValue = fc.string({ unit: fc.constantFrom(...'abAZ09:/.-_~!'), minLength: 1, maxLength: 12 });
const limitedRights = fc.record({
  grantTypes: fc.subarray([...GRANT_TYPES]).map((grantTypes) => new Set(grantTypes)),
  scopeValues: fc.oneof(
    fc.constant('any' as const),
    fc.uniqueArray(scopeValue).map((values) => new Set(values)),
  ),
  data: fc.boolean(),
  setId: fc.boolean(),
  setSecret: fc.boolean(),
});
const anyRights: fc.Arbitrary<RegistrationRights> = fc.oneof(fc.constant(ALL_RIGHTS), limitedRights);

describe('parseRegistrationRights (registration/API.md#scopes)', () => {
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
      expect(rightsOf(`client-reg:grant:${name}`)).toEqual({
        ...NO_RIGHTS,
        grantTypes: new Set([grantType]),
      });
  });

  it('grants an extension grant type for its own name, and formats it back', () => {
    for (const grantType of [
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'https://as.example/grants/x',
    ]) {
      const rights = rightsOf(`client-reg:grant:${grantType}`);
      expect(rights).toEqual({ ...NO_RIGHTS, grantTypes: new Set([grantType]) });
      expect(format(rights)).toBe(`client-reg:grant:${grantType}`);
      expect(permitsGrantType(rights, grantType)).toBe(true);
      expect(permitsGrantType(OPEN_RIGHTS, grantType)).toBe(false);
      expect(permitsGrantType(ALL_RIGHTS, grantType)).toBe(true);
    }
  });

  it('grants everything for client-reg, whatever other values there are', () => {
    for (const text of ['client-reg', 'client-reg client-reg:data', 'openid client-reg:scope:a client-reg'])
      expect(rightsOf(text)).toBe(ALL_RIGHTS);
  });

  it('grants any scope value for client-reg:scope, and otherwise exactly the appended one', () => {
    expect(rightsOf('client-reg:scope').scopeValues).toBe('any');
    expect(rightsOf('client-reg:scope:openid').scopeValues).toEqual(new Set(['openid']));
    expect(rightsOf('client-reg:scope:a client-reg:scope:b').scopeValues).toEqual(new Set(['a', 'b']));
    expect(rightsOf('client-reg:scope:a client-reg:scope').scopeValues).toBe('any');
    const address = 'https://as.example/token/introspect';
    expect(rightsOf(`client-reg:scope:${address}`).scopeValues).toEqual(new Set([address]));
  });

  it('grants data and the presets for their values', () => {
    expect(rightsOf('client-reg:data')).toEqual({ ...NO_RIGHTS, data: true });
    expect(rightsOf('client-reg:set-id')).toEqual({ ...NO_RIGHTS, setId: true });
    expect(rightsOf('client-reg:set-secret')).toEqual({ ...NO_RIGHTS, setSecret: true });
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
      expect(rightsOf(value), value).toEqual(NO_RIGHTS);
      expect(isRegistrationScope(scopeOf(value)), value).toBe(false);
    }
    expect(parseRegistrationRights(EMPTY_SCOPE)).toEqual(NO_RIGHTS);
  });

  it('ignores values outside the grammar', () => {
    expect(rightsOf('openid client-reg:data client-reg:grant:codex')).toEqual({ ...NO_RIGHTS, data: true });
  });

  it('never grants more for a part of a scope than for the whole', () => {
    fc.assert(
      fc.property(anyRights, anyRights, (a, b) => {
        const both = scopeOf(`${format(a)} ${format(b)}`.trim());
        expect(parseRegistrationRights(both)).toEqual(uniteRegistrationRights(a, b));
      }),
    );
  });
});

describe('formatRegistrationRights', () => {
  it('formats text that parseRegistrationRights reads back', () => {
    fc.assert(
      fc.property(anyRights, (rights) => {
        expect(parseRegistrationRights(formatRegistrationRights(rights))).toEqual(rights);
      }),
    );
  });

  it('formats equal rights equally, in one order', () => {
    const messy = scopeOf(
      'client-reg:set-secret client-reg:scope:b client-reg:data client-reg:scope:a client-reg:grant:saml client-reg:grant:code',
    );
    expect(format(parseRegistrationRights(messy))).toBe(
      'client-reg:grant:code client-reg:grant:saml client-reg:scope:a client-reg:scope:b client-reg:data client-reg:set-secret',
    );
    expect(format(OPEN_RIGHTS)).toBe(
      'client-reg:grant:code client-reg:grant:implicit client-reg:grant:refresh',
    );
    expect(format(ALL_RIGHTS)).toBe('client-reg');
    expect(format(NO_RIGHTS)).toBe('');
  });

  it('refuses rights with an invalid scope value, which would read back as other rights', () => {
    for (const value of ['', 'a b', 'a client-reg', ' ', '"', 'ä', 'a\n'])
      expect(() => format({ ...NO_RIGHTS, scopeValues: new Set([value]) }), JSON.stringify(value)).toThrow(
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

describe('uniteRegistrationRights', () => {
  it('permits what either permits, and nothing else', () => {
    const value = fc.oneof(scopeValue, fc.constantFrom('a', 'b'));
    const grantType = fc.constantFrom(...GRANT_TYPES, 'urn:example:other');
    fc.assert(
      fc.property(anyRights, anyRights, grantType, value, (a, b, grant, scope) => {
        const united = uniteRegistrationRights(a, b);
        expect(permitsGrantType(united, grant)).toBe(
          permitsGrantType(a, grant) || permitsGrantType(b, grant),
        );
        expect(permitsScopeValue(united, scope)).toBe(
          permitsScopeValue(a, scope) || permitsScopeValue(b, scope),
        );
        for (const right of ['data', 'setId', 'setSecret'] as const)
          expect(united[right]).toBe(a[right] || b[right]);
        expect(uniteRegistrationRights(b, a)).toEqual(united);
      }),
    );
  });

  it('does not change its arguments', () => {
    uniteRegistrationRights(NO_RIGHTS, OPEN_RIGHTS);
    expect(NO_RIGHTS.grantTypes.size).toBe(0);
  });
});

describe('subtractRegistrationRights', () => {
  const value = fc.oneof(scopeValue, fc.constantFrom('a', 'b'));

  it('permits what was permitted and is not subtracted; unlimited rights stay as before', () => {
    const grantType = fc.constantFrom(...GRANT_TYPES, 'urn:example:other');
    fc.assert(
      fc.property(limitedRights, anyRights, grantType, value, (rights, taken, grant, scope) => {
        const left = subtractRegistrationRights(rights, taken);
        expect(permitsGrantType(left, grant)).toBe(
          permitsGrantType(rights, grant) && !permitsGrantType(taken, grant),
        );
        expect(permitsScopeValue(left, scope)).toBe(
          permitsScopeValue(rights, scope) &&
            (rights.scopeValues === 'any' || !permitsScopeValue(taken, scope)),
        );
        for (const right of ['data', 'setId', 'setSecret'] as const)
          expect(left[right]).toBe(rights[right] && !taken[right]);
        expect(subtractRegistrationRights(ALL_RIGHTS, taken)).toBe(ALL_RIGHTS);
      }),
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
    // Whatever a client was registered with, its rights cover what it needs.
    const rightsAndNeed = fc
      .tuple(anyRights, need)
      .map(([rights, before]) => ({ rights: uniteRegistrationRights(rights, before), before }));
    fc.assert(
      fc.property(rightsAndNeed, need, ({ rights, before }, after) => {
        const settled = uniteRegistrationRights(subtractRegistrationRights(rights, before), after);
        // Never more than before plus what is needed now, and everything that is needed now.
        expect(uniteRegistrationRights(settled, uniteRegistrationRights(rights, after))).toEqual(
          uniteRegistrationRights(rights, after),
        );
        expect(uniteRegistrationRights(settled, after)).toEqual(settled);
        if (rights.grantTypes === 'any') return;
        for (const grant of before.grantTypes)
          expect(permitsGrantType(settled, grant)).toBe(after.grantTypes.has(grant));
        if (before.data) expect(settled.data).toBe(after.data);
        if (rights.scopeValues === 'any') return;
        for (const scope of before.scopeValues)
          expect(permitsScopeValue(settled, scope)).toBe(after.scopeValues.has(scope));
      }),
    );
  });

  it('does not change its arguments', () => {
    subtractRegistrationRights(OPEN_RIGHTS, OPEN_RIGHTS);
    expect(OPEN_RIGHTS.grantTypes.size).toBe(3);
  });
});

describe('permits', () => {
  it('checks the grant types and scope values of limited rights', () => {
    expect(permitsGrantType(OPEN_RIGHTS, 'authorization_code')).toBe(true);
    for (const grantType of ['client_credentials', 'password', '', 'Authorization_Code'])
      expect(permitsGrantType(OPEN_RIGHTS, grantType)).toBe(false);
    expect(permitsScopeValue(OPEN_RIGHTS, 'openid')).toBe(false);
    expect(permitsScopeValue(rightsOf('client-reg:scope:openid'), 'openid')).toBe(true);
    expect(permitsScopeValue(rightsOf('client-reg:scope:openid'), 'openid2')).toBe(false);
  });

  it('permits everything under unlimited rights', () => {
    expect(permitsGrantType(ALL_RIGHTS, 'urn:example:other')).toBe(true);
    expect(permitsScopeValue(ALL_RIGHTS, 'anything')).toBe(true);
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
