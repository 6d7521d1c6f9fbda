import { expect, it } from 'vitest';
import { buildTestApp } from '../support/build-test-app.js';

/** `Accept` of Java's `HttpURLConnection` by default, and of a browser. */
const ACCEPTS = [
  'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html',
];

/** Requests that fail, each for another reason, by endpoint. */
const REQUESTS = [
  { url: '/token', form: 'grant_type=client_credentials&client_id=unknown&client_secret=x', status: 401 },
  { url: '/token', form: '', status: 400 },
  { url: '/par', form: 'client_id=unknown&client_secret=x', status: 401 },
  { url: '/par', form: '', status: 400 },
  { url: '/token/revoke', form: 'token=x&client_id=unknown&client_secret=x', status: 401 },
  { url: '/token/revoke', form: '', status: 400 },
  { url: '/userinfo', form: '', status: 400 },
  { url: '/userinfo', form: 'access_token=x', status: 401 },
];

it.each(ACCEPTS)('responds to programs that accept "%s" with errors in JSON', async (accept) => {
  const { app } = await buildTestApp({}, false, true);
  for (const { url, form, status } of REQUESTS) {
    const send = (headers: Readonly<Record<string, string>>) =>
      app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: form,
      });
    const [here, plain] = [await send({ accept }), await send({ accept: 'application/json' })];
    const which = `${url} ${form}`;
    expect(here.statusCode, which).toBe(status);
    expect(here.headers['content-type'], which).toMatch(/^application\/json/);
    expect(here.json(), which).toMatchObject({ error: expect.any(String) });
    expect(here.body, which).toBe(plain.body);
  }
});

it('keeps the page at the authorization endpoint, which people open', async () => {
  const { app } = await buildTestApp({}, false, true);
  for (const accept of ACCEPTS) {
    const page = await app.inject({ url: '/authorize?client_id=unknown', headers: { accept } });
    expect(page.statusCode).toBe(400);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
  }
});
