import { PROGRAM_LABELS } from '@vestibule/clients';
import { describe, expect, it } from 'vitest';
import { pageAfterLogin } from '../../src/login/console-paths.js';
import { operatorOfLogin } from '../../src/login/operator-of-login.js';
import { roleOf } from '../../src/login/role-claim.js';

const ROLES = {
  claim: 'roles',
  values: { viewer: ['viewer'], operator: ['operator', 'on-call'], admin: ['admin'] },
};

describe('the role', () => {
  it.each([
    ['viewer', 'viewer'],
    [['on-call'], 'operator'],
    [['viewer', 'admin', 'operator'], 'admin'],
    [['Admin'], undefined],
    ['viewer admin', undefined],
    [[['admin']], undefined],
    [{ admin: true }, undefined],
    [true, undefined],
    [undefined, undefined],
  ])('of the claim %j is %s', (roles, role) => {
    expect(roleOf(ROLES, { claims: { ...(roles !== undefined && { roles }) } })).toBe(role);
  });

  it('is not taken from members that every object has', () => {
    const settings = { ...ROLES, claim: 'constructor', values: { ...ROLES.values, admin: ['Object'] } };
    expect(roleOf(settings, { claims: {} })).toBeUndefined();
  });

  it('is taken from the granted scope that the provider states, and from no other', () => {
    const settings = {
      ...ROLES,
      claim: 'scope',
      values: { viewer: ['profile'], operator: [], admin: ['admin'] },
    };
    expect(roleOf(settings, { claims: { scope: 'admin' } })).toBeUndefined();
    expect(roleOf(settings, { claims: {}, scope: 'openid profile' })).toBe('viewer');
    expect(roleOf(settings, { claims: {}, scope: 'openid' })).toBeUndefined();
    expect(roleOf(settings, { claims: {}, scope: 'openid admin' })).toBe('admin');
  });
});

describe('the actor', () => {
  const actorOf = (subject: string, claims = {}) => operatorOfLogin({ subject, claims }, 'admin').actor;

  it('is the subject if that is a label and the name of the person', () => {
    expect(actorOf('alice')).toBe('operator:alice');
    expect(actorOf('alice', { preferred_username: 'alice', name: 'Alice' })).toBe('operator:alice');
  });

  it('is never that of a program', () => {
    for (const label of [...PROGRAM_LABELS, 'Console'])
      expect(actorOf(label)).toMatch(new RegExp(`^operator:${label}-[0-9a-f]{12}$`));
  });

  it('is a readable word and a digest of the subject otherwise, so that no two persons are equal', () => {
    const forms = [
      ['248289761001', { preferred_username: 'alice' }],
      ['248289761002', { preferred_username: 'alice' }],
      ['248289761003', { name: 'Álice <Example>' }],
      ['https://idp.example/people/alice', {}],
      ['x'.repeat(200), {}],
      [`${'x'.repeat(199)}y`, {}],
      ['莎', { name: '莎莉' }],
    ] as const;
    const actors = forms.map(([subject, claims]) => actorOf(subject, claims));
    for (const actor of actors)
      expect(actor).toMatch(/^operator:[A-Za-z0-9][A-Za-z0-9._@-]{0,50}-[0-9a-f]{12}$/);
    expect(new Set(actors).size).toBe(forms.length);
    expect(actors[0]).toMatch(/^operator:alice-/);
    expect(actors[2]).toMatch(/^operator:A\.?lice\.Example\.-/);
    // A subject that looks like the actor of another person.
    const imitated = actors[0]?.slice('operator:'.length) ?? '';
    expect(actorOf(imitated)).not.toBe(actors[0]);
  });
});

describe('the name', () => {
  const nameOf = (claims: object) => operatorOfLogin({ subject: 'sub', claims: { ...claims } }, 'admin').name;

  it('is the user name, else the name, else the subject', () => {
    expect(nameOf({ preferred_username: 'ada', name: 'Ada' })).toBe('ada');
    expect(nameOf({ preferred_username: 7, name: 'Ada' })).toBe('Ada');
    expect(nameOf({ preferred_username: '\u202e' })).toBe('sub');
  });

  it('has no control characters, and is short', () => {
    expect(nameOf({ name: '\u202eAda\n\u2066Admin\u0000' })).toBe('AdaAdmin');
    expect([...nameOf({ name: '😀'.repeat(5_000) })]).toHaveLength(80);
  });
});

describe('the page after the login', () => {
  it.each(['/', '/clients', '/clients/a%2Fb?q=x&after=y', '/audit?target=client%3Ax'])('may be %s', (to) => {
    expect(pageAfterLogin(to)).toBe(to);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/.//evil.example',
    '/x/..//evil.example',
    '/\tevil',
    '/ö',
    '/\r\nset-cookie: x',
    '/login',
    '/login/callback?code=x',
    '/logout',
    `/${'a'.repeat(3_000)}`,
    '',
  ])('is never %j', (to) => {
    expect(pageAfterLogin(to)).toBe('/');
  });
});
