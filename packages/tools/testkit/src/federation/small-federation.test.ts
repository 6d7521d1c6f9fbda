import { frozenClock } from '@vestibule/protocol/testing';
import { compactVerify, decodeJwt, importJWK } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ResponseFault } from './entity-responses.js';
import type { FederationEntity } from './federation-entity.js';
import { createEntityKey } from './sign-statement.js';
import { openSmallFederation } from './small-federation.js';

async function aFederation() {
  const federation = await openSmallFederation(frozenClock());
  onTestFinished(() => federation.close());
  return federation;
}

const configurationOf = async ({ id }: FederationEntity) =>
  (await fetch(`${id}/.well-known/openid-federation`)).text();

const isSignedBy = async (token: string, { key }: FederationEntity) =>
  compactVerify(token, await importJWK(key.publicJwk, key.algorithm)).then(
    () => true,
    () => false,
  );

describe('a small federation', () => {
  it('has a chain of statements from the anchor to a relying party, over HTTP', async () => {
    const { anchor, intermediates, relyingParty } = await aFederation();
    const member = await relyingParty();
    const own = await configurationOf(member);
    expect(await isSignedBy(own, member)).toBe(true);
    expect(decodeJwt(own)).toMatchObject({
      iss: member.id,
      sub: member.id,
      authority_hints: [intermediates[0].id],
      metadata: { openid_relying_party: { redirect_uris: [`${member.id}/callback`] } },
    });
    for (const [superior, subject] of [
      [anchor, intermediates[0]],
      [intermediates[0], member],
    ] as const) {
      const endpoint = superior.metadata['federation_entity']?.['federation_fetch_endpoint'];
      const response = await fetch(`${String(endpoint)}?sub=${encodeURIComponent(subject.id)}`);
      expect(response.headers.get('content-type')).toBe('application/entity-statement+jwt');
      const statement = await response.text();
      expect(await isSignedBy(statement, superior)).toBe(true);
      expect(decodeJwt(statement)).toMatchObject({ iss: superior.id, sub: subject.id, jwks: subject.jwks });
    }
    expect((await fetch(`${anchor.id}/fetch?sub=${encodeURIComponent(member.id)}`)).status).toBe(404);
  });

  it('issues trust marks that name their subject', async () => {
    const { markIssuer, markType, mark, relyingParty } = await aFederation();
    const member = await relyingParty();
    await mark(member);
    const [shown] = member.marks;
    expect(await isSignedBy(shown?.trust_mark ?? '', markIssuer)).toBe(true);
    expect(decodeJwt(shown?.trust_mark ?? '')).toMatchObject({ sub: member.id, trust_mark_type: markType });
  });

  it('sends statements with the configured deviations', async () => {
    const { anchor, relyingParty } = await aFederation();
    const member = await relyingParty();
    const stolen = await createEntityKey();
    const signed = (changes: FederationEntity['behaviour']['configuration']) => {
      member.behaviour.configuration = changes;
      return configurationOf(member);
    };
    expect(await isSignedBy(await signed({ key: stolen }), member)).toBe(false);
    expect(await isSignedBy(await signed({ header: { alg: 'none' } }), member)).toBe(false);
    expect(await signed({ spoil: () => 'spoilt' })).toBe('spoilt');
    expect(decodeJwt(await signed({ claims: { exp: undefined, iss: anchor.id } }))).not.toHaveProperty('exp');
  });

  it('responds with the configured faults', async () => {
    const { relyingParty } = await aFederation();
    const member = await relyingParty();
    const seen = async (fault: ResponseFault) => {
      member.behaviour.configurationFault = fault;
      const response = await fetch(`${member.id}/.well-known/openid-federation`, { redirect: 'manual' });
      return { status: response.status, length: (await response.text()).length };
    };
    expect(await seen('not_found')).toMatchObject({ status: 404 });
    expect(await seen('redirect')).toMatchObject({ status: 302 });
    expect(await seen('huge')).toMatchObject({ length: 10_000_000 });
    await expect(seen('cut')).rejects.toThrow();
  });
});
