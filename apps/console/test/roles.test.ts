import { expect, it } from 'vitest';
import { ROLES, type Role } from '../src/frame/operator.js';
import { allPages } from '../src/pages/all-pages.js';
import { buildTestConsole } from './support/build-test-console.js';

/** Fills the parameters of a path with a text that names nothing. */
function filled(path: string): string {
  return path.replaceAll(/:[a-zA-Z]+/g, 'unknown');
}

function below(role: Role): readonly Role[] {
  return ROLES.slice(0, ROLES.indexOf(role));
}

it('refuses each page and action to every role below the one that it requires, and records that', async () => {
  const console = await buildTestConsole();
  for (const { method, path, role } of allPages(console.deps)) {
    for (const lower of below(role)) {
      console.refused.length = 0;
      const url = filled(path);
      const response = await (method === 'GET' ? console.get(url, lower) : console.post(url, {}, lower));
      expect(response.status, `${method} ${path} as ${lower}`).toBe(403);
      expect(console.refused, `${method} ${path} as ${lower}`).toMatchObject([
        { operator: { role: lower }, method, path, required: role },
      ]);
    }
  }
});

it('requires a role above viewer for every action', async () => {
  const { deps } = await buildTestConsole();
  const actions = allPages(deps).filter(({ method }) => method === 'POST');
  expect(actions.length).toBeGreaterThan(20);
  expect(actions.filter(({ role, path }) => role === 'viewer' && !READS.has(path))).toEqual([]);
});

/** Actions that change nothing: they take what must not stand in a URL. */
const READS: ReadonlySet<string> = new Set(['/token', '/federation', '/federation/explain', '/audit/verify']);

it('shows no page without a session, and leads to the login', async () => {
  const { app, deps } = await buildTestConsole();
  for (const { path } of allPages(deps).filter(({ method }) => method === 'GET')) {
    const { statusCode, headers, payload } = await app.inject({ method: 'GET', url: filled(path) });
    expect(statusCode, path).toBe(303);
    expect(headers.location, path).toBe(`/login?to=${encodeURIComponent(filled(path))}`);
    expect(payload, path).toBe('');
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
