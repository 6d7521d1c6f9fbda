import { describe, expect, it } from 'vitest';
import { anEntity, NOW, signAs, type TestEntity } from '../testing/test-entity.js';
import { aFederation } from '../testing/test-federation.js';

// The figures of OpenID Federation 1.0 sections 7.4 and 7.5, with our own keys.

const MUSHROOMS = 'https://mushrooms.federation.example.com';
const ISSUED_AT = 1_579_621_160;

interface Example {
  readonly figure: string;
  readonly type: string;
  readonly issuer: string;
  readonly subject: string;
}

const EXAMPLES: readonly Example[] = [
  {
    figure: '19: Trust Mark for a National Profile',
    type: `${MUSHROOMS}/openid_relying_party/public/`,
    issuer: 'https://epigeo.tm-issuer.example.it',
    subject: 'https://porcino.example.com/rp',
  },
  {
    figure: '20: Trust Mark Issued to an RP',
    type: `${MUSHROOMS}/openid_relying_party/private/under-age`,
    issuer: 'https://trustissuer.pinarolo.example.it',
    subject: 'https://vavuso.example.com/rp',
  },
  {
    figure: '21: Trust Mark Attesting to an Agreement Between Entities',
    type: `${MUSHROOMS}/arrosto/agreements`,
    issuer: 'https://agaricaceae.example.it',
    subject: 'https://coppolino.example.com',
  },
  {
    figure: '22: Trust Mark Asserting Conformance to a Security Profile',
    type: `${MUSHROOMS}/ottimo/commestibile`,
    issuer: 'https://cantharellus.cibarius.example.org',
    subject: 'https://gallinaccio.example.com/op',
  },
  {
    figure: '23: Self-Signed Trust Mark',
    type: `${MUSHROOMS}/trust-marks/self-signed`,
    issuer: 'https://amanita.muscaria.example.com',
    subject: 'https://amanita.muscaria.example.com',
  },
  {
    figure: '24: Third-Party Accreditation Authority for Trust Marks',
    type: 'https://refeds.org/wp-content/uploads/2016/01/Sirtfi-1.0.pdf',
    issuer: 'https://swamid.se',
    subject: 'https://umu.se/op',
  },
];

/** A federation whose anchor permits an issuer to issue marks of a type, or any entity to issue them for itself. */
function markedBy({ type, issuer: id }: Omit<Example, 'figure'>, isOwn: boolean) {
  const federation = aFederation();
  const anchor = federation.entity('anchor.example');
  const issuer = anEntity(id);
  federation.join(issuer, [anchor]);
  const metadata = { federation_entity: { federation_fetch_endpoint: `${anchor.id}/fetch` } };
  federation.publish(anchor, { metadata, trust_mark_issuers: { [type]: isOwn ? [] : [issuer.id] } });
  const evaluate = async (subject: TestEntity, mark: string) => {
    const marks = [{ trust_mark_type: type, trust_mark: mark }];
    const claims = { metadata: { openid_relying_party: {} }, trust_marks: marks };
    const token = federation.join(subject, [anchor], claims);
    const { paths } = await federation.resolve(token, { rules: { requiredMarks: [[type]] } });
    return paths[0]?.trustMarks;
  };
  return { ...federation, anchor, issuer, evaluate };
}

describe('OpenID Federation 1.0, trust marks', () => {
  it.each(EXAMPLES.map((example) => [example.figure, example] as const))(
    'figure %s',
    async (_title, example) => {
      const { type, subject: id } = example;
      const isOwn = example.issuer === id;
      const { issuer, evaluate } = markedBy(example, isOwn);
      const subject = isOwn ? issuer : anEntity(id);
      const claims = {
        iss: issuer.id,
        sub: subject.id,
        trust_mark_type: type,
        iat: ISSUED_AT,
        ref: `${id}/ref`,
      };
      const mark = signAs(issuer, claims, { typ: 'trust-mark+jwt' });
      expect(await evaluate(subject, mark)).toEqual([{ type, accepted: true, issuer: issuer.id }]);
    },
  );

  it('figures 25 to 27: a Trust Mark using delegation', async () => {
    const type = 'https://refeds.org/sirtfi';
    const issuer = 'https://tmi.example.org';
    const fixture = markedBy({ type, issuer, subject: 'https://entity.example.org' }, false);
    const owner = anEntity('https://tm_owner.example.org');
    const metadata = { federation_entity: { federation_fetch_endpoint: `${fixture.anchor.id}/fetch` } };
    fixture.publish(fixture.anchor, {
      metadata,
      trust_mark_issuers: { [type]: [fixture.issuer.id] },
      trust_mark_owners: { [type]: { sub: owner.id, jwks: owner.jwks } },
    });
    const subject = anEntity('https://entity.example.org');
    const delegated = { sub: fixture.issuer.id, trust_mark_type: type, iss: owner.id, iat: ISSUED_AT };
    const delegation = signAs(owner, delegated, { typ: 'trust-mark-delegation+jwt' });
    const claims = {
      delegation,
      iat: NOW,
      trust_mark_type: type,
      sub: subject.id,
      exp: NOW + 2_592_000,
      iss: fixture.issuer.id,
    };
    const accepted = { type, accepted: true, issuer: fixture.issuer.id, expiresAt: claims.exp };
    const sign = (given: typeof claims) => signAs(fixture.issuer, given, { typ: 'trust-mark+jwt' });
    expect(await fixture.evaluate(subject, sign(claims))).toEqual([accepted]);
    const { delegation: _delegation, ...alone } = claims;
    expect(
      await fixture.evaluate(subject, signAs(fixture.issuer, alone, { typ: 'trust-mark+jwt' })),
    ).toMatchObject([{ accepted: false, reason: 'trust_mark' }]);
  });
});
