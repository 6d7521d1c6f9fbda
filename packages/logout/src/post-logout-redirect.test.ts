import type { Client } from '@vestibule/clients';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { postLogoutRedirect } from './post-logout-redirect.js';

const REGISTERED = ['https://app.example/done', 'https://app.example/done?a=%20b&c', 'com.example.app:/done'];
const client = {
  metadata: { post_logout_redirect_uris: REGISTERED } as unknown as Client['metadata'],
};

describe('postLogoutRedirect', () => {
  it('returns a registered address unchanged if there is no state', () => {
    for (const uri of REGISTERED) expect(postLogoutRedirect(client, uri, undefined)).toBe(uri);
  });

  it('adds any state once and unchanged, and keeps the rest', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...REGISTERED),
        fc.string({ unit: 'binary', minLength: 1 }),
        (uri, state) => {
          const { searchParams, href } = new URL(postLogoutRedirect(client, uri, state) ?? '');
          expect(searchParams.getAll('state')).toEqual([state]);
          expect(href.startsWith(uri)).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('returns nothing for an address that is not registered character by character', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string()), (uri) => {
        fc.pre(!REGISTERED.includes(uri));
        expect(postLogoutRedirect(client, uri, 'state')).toBeUndefined();
      }),
    );
    const none = { metadata: {} as unknown as Client['metadata'] };
    expect(postLogoutRedirect(none, 'https://app.example/done', undefined)).toBeUndefined();
  });

  it('returns nothing for a registered address whose host could extend the Content-Security-Policy of a page', () => {
    const stored = ['https://e.example;sandbox/done', "https://e'x.example/", 'http://e_x.example/'];
    const loose = { metadata: { post_logout_redirect_uris: stored } as unknown as Client['metadata'] };
    for (const uri of stored) expect(postLogoutRedirect(loose, uri, undefined), uri).toBeUndefined();
  });
});
