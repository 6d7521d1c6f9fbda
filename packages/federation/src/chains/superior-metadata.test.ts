import { expect, it } from 'vitest';
import { withSuperiorMetadata } from './superior-metadata.js';

it('overrides members of the same name, and adds those that are missing', () => {
  const own = { openid_relying_party: { a: 1, b: { x: 1 } }, federation_entity: {} };
  expect(withSuperiorMetadata(own, { openid_relying_party: { b: { y: 2 }, c: 3 } })).toEqual({
    openid_relying_party: { a: 1, b: { y: 2 }, c: 3 },
    federation_entity: {},
  });
});

it('adds no entity type that the entity itself does not have', () => {
  expect(withSuperiorMetadata({ oauth_client: {} }, { openid_relying_party: { a: 1 } })).toEqual({
    oauth_client: {},
  });
  expect(withSuperiorMetadata({ constructor: {} }, { oauth_client: { a: 1 } })).toEqual({ constructor: {} });
});
