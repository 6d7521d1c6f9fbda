import { expect, it } from 'vitest';
import { ROLES, type Role } from '../src/frame/operator.js';
import { allPages } from '../src/pages/all-pages.js';
import { issuedInitialToken } from './pages/initial-tokens/issued-initial-token.js';
import { aTokenConsole } from './pages/token/token-console.js';
import { buildTestConsole, type TestResponse } from './support/build-test-console.js';
import { ACTION_MATRIX, PAGE_ROLES } from './support/role-matrix.js';

type TokenConsole = Awaited<ReturnType<typeof aTokenConsole>>;

/** Fills the parameters of a path with a text that names nothing. */
function filled(path: string): string {
  return path.replaceAll(/:[a-zA-Z]+/g, 'unknown');
}

function below(role: Role): readonly Role[] {
  return ROLES.slice(0, ROLES.indexOf(role));
}

/** The role of each page and action, as it is written down. */
const REQUIRED: readonly (readonly [method: 'GET' | 'POST', path: string, role: Role])[] = [
  ...Object.entries(PAGE_ROLES).map(([path, role]) => ['GET', path, role] as const),
  ...ACTION_MATRIX.filter(({ isByContent }) => isByContent !== true).map(
    ({ path, role }) => ['POST', path, role] as const,
  ),
];

it('has the pages and actions that are written down, with their roles, and no others', async () => {
  const { deps } = await buildTestConsole();
  const found = allPages(deps).map(({ method, path, role }) => `${method} ${path} ${role}`);
  expect(found.toSorted()).toEqual(REQUIRED.map((one) => one.join(' ')).toSorted());
});

it('has the actions confirmed by typing that are written down, and no others', async () => {
  const { deps } = await buildTestConsole();
  const found = allPages(deps).filter((one) => one.method === 'POST' && one.isConfirmed);
  const expected = ACTION_MATRIX.filter(({ isTyped, isByContent }) => isTyped && isByContent !== true);
  expect(found.map(({ path }) => path).toSorted()).toEqual(expected.map(({ path }) => path).toSorted());
});

it('refuses each page and action to every role below the one that it requires, and records that', async () => {
  const console = await buildTestConsole();
  for (const [method, path, role] of REQUIRED) {
    for (const given of ROLES) {
      console.refused.length = 0;
      const url = filled(path);
      const response = await (method === 'GET' ? console.get(url, given) : console.post(url, {}, given));
      const what = `${method} ${path} as ${given}`;
      if (below(role).includes(given)) {
        expect(response.status, what).toBe(403);
        expect(console.refused, what).toMatchObject([
          { operator: { role: given }, method, path, required: role },
        ]);
      } else {
        expect(response.status, what).not.toBe(403);
        expect(console.refused, what).toEqual([]);
      }
    }
  }
});

/** Requests whose content requires a higher role than their action, by the names of their rows. */
const BY_CONTENT: Readonly<Record<string, (console: TokenConsole, role: Role) => Promise<TestResponse>>> = {
  'register a client with a chosen identifier or secret': ({ post }, role) =>
    post('/clients/-/register', { rest: '{"preferred_client_id": "shop"}' }, role),
  'issue an initial access token with elevated rights': ({ post }, role) =>
    post('/initial-tokens/issue', { right_all: 'on' }, role),
  'revoke an initial access token with elevated rights': async (console, role) => {
    const { shortId } = await issuedInitialToken(console, { right_all: 'on' });
    return console.post(`/initial-tokens/${shortId}/revoke`, { confirmation: shortId }, role);
  },
  'revoke a token that is an initial access token with elevated rights': async (console, role) => {
    const { token, shortId } = await issuedInitialToken(console, { right_all: 'on' });
    const encrypted = await console.encrypted(token);
    return console.post('/token/revoke', { encrypted, confirmation: shortId }, role);
  },
};

it('refuses what only an admin may do by its content to operators, and records that', async () => {
  const rows = ACTION_MATRIX.filter(({ isByContent, role }) => isByContent === true && role === 'admin');
  expect(Object.keys(BY_CONTENT).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  const console = await aTokenConsole();
  for (const { name, path, role: required } of rows) {
    console.refused.length = 0;
    expect((await BY_CONTENT[name]?.(console, 'operator'))?.status, name).toBe(403);
    expect(console.refused, name).toMatchObject([{ operator: { role: 'operator' }, path, required }]);
    expect((await BY_CONTENT[name]?.(console, 'admin'))?.status, name).not.toBe(403);
  }
});

it('carries out no action without a session, or with a form that is not of this session', async () => {
  const console = await buildTestConsole();
  for (const { path } of allPages(console.deps).filter(({ method }) => method === 'POST')) {
    const url = filled(path);
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://console.example',
      'sec-fetch-site': 'same-origin',
    };
    const anonymous = await console.app.inject({ method: 'POST', url, headers, payload: 'form_token=x' });
    expect(anonymous.statusCode, path).toBe(401);
    const cookie = await console.cookieOf('admin');
    const valid = 'form_token=form-token-of-the-test';
    for (const [forged, payload] of [
      [{}, 'form_token=another'],
      [{}, 'other=field'],
      [{ origin: 'https://evil.example' }, valid],
      [{ origin: 'null' }, valid],
      [{ 'sec-fetch-site': 'cross-site' }, valid],
      [{ 'sec-fetch-site': 'same-site' }, valid],
    ] as const) {
      const response = await console.app.inject({
        method: 'POST',
        url,
        headers: { ...headers, cookie, ...forged },
        payload,
      });
      expect(response.statusCode, `${path} ${JSON.stringify(forged)} ${payload}`).toBe(403);
    }
  }
});
