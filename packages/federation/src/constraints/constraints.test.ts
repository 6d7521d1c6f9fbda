import { describe, expect, it } from 'vitest';
import { anEntityId } from '../testing/entity-ids.js';
import { reasonOf } from '../testing/refusal.js';
import { allowedMetadata, requireWithinConstraints } from './check-constraints.js';
import { EMPTY_CONSTRAINTS, parseConstraints } from './constraints.js';

/** The figure "Example Set of Constraints" of OpenID Federation 1.0 section 6.2. */
const EXAMPLE = {
  max_path_length: 2,
  naming_constraints: { permitted: ['.example.com'], excluded: ['east.example.com'] },
  allowed_entity_types: ['openid_provider', 'openid_relying_party'],
};

const ids = (...hosts: readonly string[]) => hosts.map((host) => anEntityId(`https://${host}`));

/** The reason why entities may not be below a superior, or `undefined`. */
function reason(constraints: unknown, below: readonly string[]) {
  return reasonOf(() => requireWithinConstraints(parseConstraints(constraints), ids(...below)));
}

describe('parseConstraints', () => {
  it('parses the figure Example Set of Constraints, and ignores unknown members', () => {
    expect(parseConstraints({ ...EXAMPLE, other: 1 })).toEqual({
      maxPathLength: 2,
      naming: { permitted: ['.example.com'], excluded: ['east.example.com'] },
      allowedEntityTypes: ['openid_provider', 'openid_relying_party'],
    });
    expect(parseConstraints({})).toEqual(EMPTY_CONSTRAINTS);
    expect(parseConstraints({ naming_constraints: {} })).toEqual({ naming: { excluded: [] } });
  });

  it('refuses members of another type', () => {
    for (const claim of [
      null,
      [],
      'none',
      { max_path_length: -1 },
      { max_path_length: 1.5 },
      { max_path_length: '1' },
      { max_path_length: null },
      { naming_constraints: [] },
      { naming_constraints: { permitted: '.example' } },
      { naming_constraints: { excluded: [1] } },
      { allowed_entity_types: 'openid_provider' },
      { allowed_entity_types: [null] },
      { allowed_entity_types: ['openid_relying_party', 'federation_entity'] },
      { naming_constraints: { excluded: ['https://east.example.com'] } },
      { naming_constraints: { excluded: ['*.example.com'] } },
      { naming_constraints: { excluded: ['_east.example.com'] } },
      { naming_constraints: { permitted: ['example.com', ''] } },
      { naming_constraints: { permitted: ['..example.com'] } },
    ])
      expect(
        reasonOf(() => parseConstraints(claim)),
        JSON.stringify(claim),
      ).toBe('constraints');
  });
});

describe('requireWithinConstraints', () => {
  it('counts the intermediates between the superior and the subject', () => {
    for (const [length, below, expected] of [
      [0, ['rp.example'], undefined],
      [0, ['rp.example', 'a.example'], 'max_path_length'],
      [1, ['rp.example', 'a.example'], undefined],
      [1, ['rp.example', 'a.example', 'b.example'], 'max_path_length'],
      [2, ['rp.example', 'a.example', 'b.example'], undefined],
    ] as const)
      expect(reason({ max_path_length: length }, below)).toBe(expected);
    expect(reason({}, ['rp.example', 'a.example', 'b.example', 'c.example'])).toBeUndefined();
  });

  it('permits and excludes hosts, for every entity below', () => {
    const permitted = (...names: readonly string[]) => ({ naming_constraints: { permitted: names } });
    const excluded = (...names: readonly string[]) => ({ naming_constraints: { excluded: names } });
    for (const [constraints, below, isFine] of [
      [permitted('.example.com'), ['rp.example.com'], true],
      [permitted('.example.com'), ['my.rp.example.com'], true],
      [permitted('.EXAMPLE.com'), ['rp.example.com'], true],
      [permitted('.example.com'), ['example.com'], false],
      [permitted('.example.com'), ['rp.badexample.com'], false],
      [permitted('.example.com'), ['example.com.evil.example'], false],
      [permitted('example.com'), ['example.com'], true],
      [permitted('example.com'), ['rp.example.com'], false],
      [permitted('a.example', 'b.example'), ['b.example'], true],
      [permitted('.example.com'), ['rp.example.com', 'org.example.net'], false],
      [permitted(), ['rp.example.com'], false],
      [excluded('.example.com'), ['rp.example.com'], false],
      [excluded('.example.com'), ['example.com'], true],
      [excluded('rp.example.com'), ['rp.example.com:8443'], false],
      [excluded(), ['rp.example.com'], true],
      [EXAMPLE, ['west.example.com'], true],
      [EXAMPLE, ['east.example.com'], false],
      [EXAMPLE, ['west.example.com', 'east.example.com'], false],
    ] as const)
      expect(reason(constraints, below), JSON.stringify([constraints, below])).toBe(
        isFine ? undefined : 'naming_constraints',
      );
  });
});

describe('allowedMetadata', () => {
  const metadata = { openid_relying_party: { a: 1 }, oauth_client: {}, federation_entity: { b: 2 } };

  it('removes entity types that are not allowed, but never federation_entity', () => {
    expect(allowedMetadata(parseConstraints(EXAMPLE), metadata)).toEqual({
      openid_relying_party: { a: 1 },
      federation_entity: { b: 2 },
    });
    expect(allowedMetadata({ allowedEntityTypes: [] }, metadata)).toEqual({ federation_entity: { b: 2 } });
    expect(allowedMetadata(EMPTY_CONSTRAINTS, metadata)).toEqual(metadata);
  });
});
