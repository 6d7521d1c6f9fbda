import Type from 'typebox';

/**
 * How long the published keys may be cached. The services that publish keys and the CLI that rotates them must use the
 * same values: a new key is published for this long before it signs.
 */
export const KEY_COPY_SETTINGS = {
  KEY_SET_MAX_AGE_SECONDS: Type.Integer({
    description:
      'How long clients and resource servers may cache the public keys of the provider, in seconds.',
    default: 300,
    minimum: 10,
    maximum: 86_400,
  }),
  FEDERATION_STATEMENT_LIFETIME_SECONDS: Type.Integer({
    description:
      'Lifetime of the entity configuration of the provider, in seconds. Other entities may cache the federation keys for this long.',
    default: 604_800,
    minimum: 300,
    maximum: 315_360_000,
  }),
};
