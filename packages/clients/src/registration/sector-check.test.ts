import { sectorIdentifier } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { updateClient } from '../management/update-client.js';
import { MASTER, registrationFixture } from '../testing/registration-fixture.js';

const OWN = 'https://own.example/cb';
const VICTIM = 'https://victim.example/cb';

/** The documents by URL: the victim lists its own redirect URIs, and anyone can list any URI. */
const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  'https://own.example/sector.json': [OWN, VICTIM, 'https://own.example:8443/cb'],
  'https://victim.example/sector.json': [VICTIM],
};

async function registered(body: JsonObject) {
  const fixture = await registrationFixture({ allowOpenRegistration: true });
  Object.assign(fixture.deps, {
    sectorIdentifiers: { read: async (uri: string) => DOCUMENTS[uri] ?? [] },
  });
  const { information } = await fixture.register({ redirect_uris: [OWN], ...body });
  const id = information.client_id;
  let token = String(information['registration_access_token']);
  /** Replaces the registration as the client or as an operator; returns the outcome. */
  const update = async (changes: JsonObject, bearer = token): Promise<string> => {
    const input = { id, token: bearer, body: { redirect_uris: [OWN], client_id: id, ...changes } };
    try {
      const response = await updateClient(fixture.deps, input);
      token = String(response.information['registration_access_token']);
      return 'accepted';
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  };
  const stored = async () => {
    const client = await fixture.find(id);
    if (client === undefined) throw new Error('the client is gone');
    return client.metadata;
  };
  return { update, stored };
}

const PAIRWISE = { subject_type: 'pairwise' };
const SECTOR = { sector_identifier_uri: 'https://victim.example/sector.json' };

describe('an update with the registration access token', () => {
  // It would learn the subjects of its own end-users there (OpenID Connect Core 1.0 section 8.1).
  it('moves no pairwise client into another sector, with or without a document that lists its redirect URIs', async () => {
    const { update, stored } = await registered(PAIRWISE);
    const before = await stored();
    for (const changes of [{}, SECTOR, { redirect_uris: ['https://own.example:8443/cb'] }])
      expect(await update({ ...PAIRWISE, redirect_uris: [VICTIM], ...changes })).toBe('insufficient_scope');
    expect(await stored()).toEqual(before);
  });

  it('makes no client pairwise', async () => {
    const { update } = await registered({});
    expect(await update(PAIRWISE)).toBe('insufficient_scope');
    expect(await update({ redirect_uris: [VICTIM] })).toBe('accepted');
    for (const changes of [{}, SECTOR])
      expect(await update({ ...PAIRWISE, redirect_uris: [VICTIM], ...changes })).toBe('insufficient_scope');
  });

  it('permits changes within the sector, and from pairwise to public subjects', async () => {
    const { update } = await registered(PAIRWISE);
    const own = { sector_identifier_uri: 'https://own.example/sector.json' };
    expect(await update({ ...PAIRWISE, redirect_uris: ['https://own.example/other'] })).toBe('accepted');
    expect(await update({ ...PAIRWISE, ...own, redirect_uris: [OWN, VICTIM] })).toBe('accepted');
    expect(await update({ ...PAIRWISE, redirect_uris: [VICTIM] })).toBe('insufficient_scope');
    expect(await update({ redirect_uris: [VICTIM] })).toBe('accepted');
    expect(await update({ ...PAIRWISE, ...own })).toBe('insufficient_scope');
  });

  it('never reaches a sector in which the client was not registered, by any sequence (property)', {
    timeout: 60_000,
  }, async () => {
    const member = fc.record(
      {
        subject_type: fc.constantFrom('pairwise', 'public'),
        redirect_uris: fc.subarray([OWN, VICTIM, 'https://own.example:8443/cb']),
        sector_identifier_uri: fc.constantFrom(...Object.keys(DOCUMENTS)),
        grant_types: fc.constantFrom(['authorization_code'], ['refresh_token']),
      },
      { requiredKeys: ['subject_type'] },
    );
    const property = fc.asyncProperty(member, fc.array(member, { maxLength: 6 }), async (first, changes) => {
      const outcome = await registered(first).catch((error: unknown) => error);
      if (outcome instanceof DomainError) return;
      const { update, stored } = outcome as Awaited<ReturnType<typeof registered>>;
      const origin = await stored();
      for (const change of changes) await update(change);
      const now = await stored();
      if (now.subject_type !== 'pairwise') return;
      expect(origin.subject_type).toBe('pairwise');
      expect(sectorIdentifier(now)).toBe(sectorIdentifier(origin));
    });
    await fc.assert(property, { numRuns: 2_000 });
  });
});

it('permits the master token to move a client to another sector', async () => {
  const { update, stored } = await registered(PAIRWISE);
  expect(await update({ ...PAIRWISE, redirect_uris: [VICTIM] }, MASTER)).toBe('accepted');
  expect(sectorIdentifier(await stored())).toBe('victim.example');
  expect(await update({}, MASTER)).toBe('accepted');
  expect(await update(PAIRWISE, MASTER)).toBe('accepted');
});
