import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEntityKey } from '@vestibule/testkit/federation';
import { expect, it } from 'vitest';
import { ISSUER, startFederation } from '../support/test-federation.js';

const CLIENT_CREDENTIALS = { grant_types: ['client_credentials'], response_types: [] };

it('lets members of a federation register what the rules of its anchor allow', async () => {
  const attempt = async (rights: string, ownRules?: object) => {
    const fixture = await startFederation({
      settings: ({ anchor }) => ({
        FEDERATION_RIGHTS: rights,
        ...(ownRules && { FEDERATION_ANCHOR_RULES: JSON.stringify({ [anchor.id]: ownRules }) }),
      }),
    });
    const member = await fixture.relyingParty({ metadata: CLIENT_CREDENTIALS });
    return (await fixture.register(await fixture.registrationRequest(member, ISSUER))).status;
  };
  expect(await attempt('')).toBe(400);
  expect(await attempt('', { rights: 'client-reg:grant:client' })).toBe(200);
  expect(await attempt('client-reg:grant:client')).toBe(200);
  expect(await attempt('client-reg:grant:client', { rights: 'client-reg:data' })).toBe(400);
  expect(await attempt('client-reg:grant:client', { max_path_length: 1 })).toBe(200);
});

it('applies the path length and the trust marks of the anchor', async () => {
  const attempt = async (rules: object) => {
    const fixture = await startFederation({
      settings: ({ anchor }) => ({ FEDERATION_ANCHOR_RULES: JSON.stringify({ [anchor.id]: rules }) }),
    });
    const member = await fixture.relyingParty();
    return (await fixture.register(await fixture.registrationRequest(member, ISSUER))).status;
  };
  expect(await attempt({ max_path_length: 1 })).toBe(200);
  expect(await attempt({ max_path_length: 0 })).toBe(401);
  expect(await attempt({ required_trust_marks: 'https://marks.example/none' })).toBe(401);
});

it('rolls over the key of an anchor without a restart, through the anchors file', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'anchors-')), 'anchors.json');
  const fixture = await startFederation({
    settings: ({ trustAnchors }) => {
      writeFileSync(file, JSON.stringify(trustAnchors));
      return { FEDERATION_TRUST_ANCHORS: '', FEDERATION_TRUST_ANCHORS_FILE: file };
    },
  });
  const { anchor, intermediates, clock } = fixture;
  const attempt = async () => {
    const member = await fixture.relyingParty();
    return (await fixture.register(await fixture.registrationRequest(member, ISSUER))).status;
  };
  expect(await attempt()).toBe(200);
  const next = await createEntityKey();
  const published = { keys: [anchor.key.publicJwk, next.publicJwk] };
  const signedByNext = { key: next, header: { kid: next.kid } };
  anchor.behaviour.configuration = { ...signedByNext, claims: { jwks: published } };
  fixture.behaves(anchor, intermediates[0].id, signedByNext);
  clock.advanceSeconds(10);
  expect(await attempt()).toBe(401);
  writeFileSync(file, JSON.stringify({ [anchor.id]: published }));
  clock.advanceSeconds(10);
  expect(await attempt()).toBe(200);
});
