import { expect, it } from 'vitest';
import { logoutPathProblems } from './logout-path-problems.js';

it.each(['/logout', '/session/end', '/sso/logout', '/token/logout', '/authorized'])('takes %s', (path) => {
  expect(logoutPathProblems(path, {})).toEqual([]);
});

it.each([
  'logout',
  '//other.example/logout',
  '/../logout',
  '/a/../b',
  '/logout/',
  '/',
  '',
  '/%2e%2e/x',
  '/x?y',
  7,
])('refuses %j, which is no path that every router reads in the same way', (path) => {
  expect(logoutPathProblems(path, {})).toEqual([
    expect.stringMatching(/^logoutPath: must be a path .*Set it to LOGOUT_PATH of the services\.$/),
  ]);
});

it.each([
  ['/auth', 'provider itself (routes.authorization)'],
  ['/auth/end', 'provider itself (routes.authorization)'],
  ['/device', 'provider itself (routes.code_verification)'],
  ['/token', 'provider itself (routes.token)'],
  ['/me', 'provider itself (routes.userinfo)'],
  ['/clients', 'registration service'],
  ['/clients/x', 'registration service'],
  ['/token/introspect', 'introspection service'],
])('refuses %s, which is an address of the %s', (path, owner) => {
  expect(logoutPathProblems(path, {})).toEqual([
    `logoutPath: must not be ${path}, because it is an address of the ${owner}. Choose another one, here and in LOGOUT_PATH of the services.`,
  ]);
});

it('knows the routes that a team has changed', () => {
  const routes = { authorization: '/sign-in', userinfo: '/logout/me' };
  expect(logoutPathProblems('/sign-in/out', { routes })).toHaveLength(1);
  expect(logoutPathProblems('/logout', { routes })).toHaveLength(1);
  expect(logoutPathProblems('/auth/end', { routes })).toEqual([]);
});
