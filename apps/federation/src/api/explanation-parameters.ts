import { Type } from 'typebox';

/** The entity that an explanation is about. */
export const EntityIdentifier = Type.String({
  description: 'The entity identifier.',
  format: 'uri',
  pattern: '^https?://[^?#]+$',
  maxLength: 2048,
});

/** The query of an explanation. That `sub` is there, and what it is, is for the operation to say. */
export const ExplanationParameters = Type.Object({
  sub: Type.Optional(Type.String({ description: 'The entity identifier; required.' })),
  profile: Type.Optional(
    Type.Enum(['final', 'draft'], {
      description: 'By which rules its statements are read; final without it.',
    }),
  ),
});
