import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { ISSUER } from '../support/build-test-app.js';
import { authorizationAddress, aVerifier, logIn, uidOf } from '../support/code-flow.js';
import { createDocumentFixture } from '../support/document-fixture.js';

const MEMBERS = {
  client_name: 'An app',
  'client_name#fr': 'Une app',
  application_type: 'web',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  redirect_uris: ['https://app.example/cb', 'https://www.app.example/cb'],
};

/** A client that an end-user consented to, and ways to change it and to send the end-user again. */
async function consented(origin: 'registered' | 'document') {
  const { app, host, register, store } = await createDocumentFixture(
    { METADATA_DOCUMENT_MIN_SECONDS: '0' },
    true,
  );
  const publish = (members: JsonObject) =>
    host.publish('/client.json', { ...MEMBERS, ...members }, { 'cache-control': 'max-age=0' });
  const { client_id } = origin === 'document' ? { client_id: publish({}) } : await register(MEMBERS);
  const change = async (members: JsonObject) => {
    if (origin === 'document') return publish(members);
    const client = await store.database.clients.find(client_id as never);
    if (client === undefined) throw new TypeError('the client is gone');
    const metadata = { ...client.metadata, ...members } as typeof client.metadata;
    return store.database.clients.replace({ client: { ...client, metadata, version: client.version + 1 } });
  };
  const browser = openBrowser(app);
  const address = (parameters = {}) =>
    authorizationAddress({ client_id }, aVerifier().challenge, { scope: 'openid email', ...parameters });
  await logIn(browser, address());
  /** The page of another request; absent if the end-user is not asked. */
  const asked = async (parameters = {}) => {
    const page = await browser.follow(await browser.go(address(parameters)), ISSUER);
    if (page.location === undefined) return page.body;
    expect(new URL(page.location).searchParams.get('code')).not.toBeNull();
    return undefined;
  };
  return {
    change,
    asked,
    consent: (parameters = {}) => logIn(browser, address(parameters)),
    app,
    browser,
    address,
  };
}

describe.each(['registered', 'document'] as const)('the remembered consent to a client: %s', (origin) => {
  it('covers it with any redirect URI that it had, and after other changes', async () => {
    const { change, asked } = await consented(origin);
    expect(await asked()).toBeUndefined();
    expect(await asked({ redirect_uri: 'https://www.app.example/cb' })).toBeUndefined();
    await change({
      contacts: ['help@app.example'],
      redirect_uris: ['https://app.example/cb', 'https://app.example/2'],
    });
    expect(await asked({ redirect_uri: 'https://app.example/2' })).toBeUndefined();
  });

  it.each(['client_name', 'client_name#fr'])('does not cover it with another %s', async (member) => {
    const { change, asked, consent } = await consented(origin);
    await change({ [member]: 'Your bank' });
    const page = await asked();
    expect(page).toContain('value="consent"');
    expect(page).toContain('email address');
    await consent();
    expect(await asked()).toBeUndefined();
  });

  it('does not cover a redirect URI at a site that was registered later', async () => {
    const { change, asked, consent } = await consented(origin);
    const redirect_uri = 'https://other.example/cb';
    await change({ redirect_uris: [...MEMBERS.redirect_uris, redirect_uri] });
    expect(await asked()).toBeUndefined();
    // More scope values at the known site must not include the new one.
    await consent({ scope: 'openid email profile' });
    expect(await asked({ redirect_uri })).toContain('https://other.example');
    await consent({ redirect_uri });
    expect(await asked({ redirect_uri })).toBeUndefined();
    // What is not shown again is not consented to again.
    expect(await asked({ scope: 'openid email profile' })).toContain('value="consent"');
  });

  it('does not cover what the client changes while the page is open', async () => {
    const { app, change, asked, browser, address } = await consented(origin);
    await change({ client_name: 'Another app' });
    const page = await browser.follow(await browser.go(address()), ISSUER);
    expect(page.body).toContain('Another app');
    const redirect_uri = 'https://other.example/cb';
    await change({ client_name: 'Your bank', redirect_uris: [...MEMBERS.redirect_uris, redirect_uri] });
    // A document is read again when another browser names its client.
    await openBrowser(app).go(address());
    const decided = await browser.go(`/interaction/${uidOf(browser)}`, { decision: 'consent' });
    expect((await browser.follow(decided, ISSUER)).location).toContain('code=');
    expect(await asked()).toContain('Your bank');
    expect(await asked({ redirect_uri })).toContain('https://other.example');
  });

  it('is not used without asking when no page may be shown', async () => {
    const { change, browser, address } = await consented(origin);
    await change({ client_name: 'Your bank' });
    const { location } = await browser.follow(await browser.go(address({ prompt: 'none' })), ISSUER);
    expect(new URL(location ?? '').searchParams.get('error')).toBe('consent_required');
  });
});
