import { Type } from 'typebox';

/** The entity to explain. */
export const EntityIdentifier = Type.String({
  description: 'The entity identifier.',
  format: 'uri',
  pattern: '^https?://[^?#]+$',
  maxLength: 2048,
});

/** The query of an explanation. The operation itself checks that `sub` is present and valid. */
export const ExplanationParameters = Type.Object({
  sub: Type.Optional(Type.String({ description: 'The entity identifier; required.' })),
  profile: Type.Optional(
    Type.Enum(['final', 'draft'], {
      description: 'The profile by which the statements are validated. Default: final.',
    }),
  ),
});
