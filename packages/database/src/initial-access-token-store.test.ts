import { parseScope } from '@vestibule/scopes';
import { expect, it } from 'vitest';
import { aDigest, anInitialToken, twoProcesses } from './testing/fixtures.js';

it('returns a token exactly as it was inserted, under any of the digests, until it is deleted', async () => {
  const { one, other } = await twoProcesses();
  const scope = parseScope('client-reg:grant:password client-reg:scope:a') ?? anInitialToken().scope;
  const complete = anInitialToken({
    digest: aDigest('complete'),
    scope,
    audience: ['https://server.example'],
    usesLeft: 0,
    label: 'A label',
    metadataTemplate: { client_name: 'template' },
    confirmation: { jkt: 'thumb' },
  });
  for (const token of [anInitialToken(), complete]) {
    await one.initialAccessTokens.insert(token);
    const digests = [aDigest('other key'), token.digest];
    expect(await other.initialAccessTokens.find(digests)).toStrictEqual(token);
    expect(await other.initialAccessTokens.delete(digests)).toBe(true);
    expect(await other.initialAccessTokens.delete(digests)).toBe(false);
    expect(await one.initialAccessTokens.find(digests)).toBeUndefined();
  }
});
