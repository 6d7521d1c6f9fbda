import { FEDERATION_REASONS, STATEMENT_CHECKS } from '@vestibule/federation';
import { POLICY_OPERATORS } from '@vestibule/metadata/policy';
import { objectOf, openObject } from '@vestibule/service-kit';
import { Type } from 'typebox';

const entity = Type.String({ description: 'An entity identifier.' });
const reason = Type.Optional(
  Type.Enum(FEDERATION_REASONS, {
    $id: 'Reason',
    description: 'Why not; absent where there is nothing against it.',
  }),
);
const detail = Type.Optional(Type.String({ description: 'The same as a sentence for people.' }));
const anything = (description: string) => Type.Optional(Type.Unknown({ description }));
const instant = (description: string) =>
  Type.Integer({ description: `${description}, in seconds since the Unix epoch.` });

const metadata = (description: string) =>
  objectOf(openObject('Metadata of this type.'), `${description}, by entity type.`);

const Statement = Type.Object(
  {
    kind: Type.Enum(['configuration', 'subordinate'], {
      description: 'Whether an entity speaks of itself, or of one below it.',
    }),
    issuer: entity,
    subject: entity,
    issuedAt: instant('When it was issued'),
    expiresAt: instant('When it ends'),
    algorithm: Type.String({ description: 'With which it is signed.' }),
    keyId: Type.Optional(Type.String({ description: 'The key that it names.' })),
    checks: Type.Array(Type.Object({ check: Type.Enum(STATEMENT_CHECKS), passed: Type.Boolean() }), {
      description: 'Those that were made, in order.',
    }),
  },
  { $id: 'Statement', description: 'An entity statement of a path.' },
);

const place = {
  entityType: Type.String(),
  parameter: Type.String(),
  operator: Type.Enum(POLICY_OPERATORS),
};

const MetadataSteps = Type.Object(
  {
    own: metadata('What the entity says of itself'),
    overridden: Type.Optional(metadata('After what its immediate superior says')),
    merges: Type.Array(
      Type.Object({
        ...place,
        superior: Type.Unknown(),
        subordinate: Type.Unknown(),
        merged: anything('Absent when the two cannot be merged.'),
      }),
      { description: 'How the policies of several superiors became one.' },
    ),
    policy: Type.Optional(openObject('The merged policy.')),
    steps: Type.Array(
      Type.Object({
        ...place,
        operand: Type.Unknown(),
        before: anything('Absent when the parameter was.'),
        after: anything('Absent when the parameter is, and when the step failed.'),
        passed: Type.Boolean(),
      }),
      { description: 'What each operator did.' },
    ),
    resolved: Type.Optional(metadata('What came out')),
  },
  { $id: 'MetadataSteps', description: 'How the metadata of the entity came about.' },
);

const TrustMark = Type.Object(
  {
    type: Type.String(),
    accepted: Type.Boolean(),
    issuer: Type.Optional(entity),
    expiresAt: Type.Optional(instant('When it ends')),
    reason,
    detail,
  },
  { $id: 'TrustMark', description: 'A trust mark that the entity shows.' },
);

const Path = Type.Object(
  {
    entities: Type.Array(entity, { description: 'The entity that is asked about first.' }),
    trusted: Type.Boolean(),
    reason,
    detail,
    failedAt: Type.Optional(Type.Object({ issuer: entity, subject: entity })),
    statements: Type.Array(Statement),
    metadata: Type.Optional(MetadataSteps),
    trustMarks: Type.Optional(Type.Array(TrustMark)),
    expiresAt: Type.Optional(instant('When the chain ends')),
  },
  { $id: 'Path', description: 'One path to an anchor that was tried.' },
);

/** Why an entity is trusted or not, as the response shows it. */
export const ExplanationSchema = Type.Object(
  {
    subject: entity,
    trusted: Type.Boolean(),
    reason,
    detail,
    chain: Type.Optional(Type.Array(entity, { description: 'The chain to go by, the entity first.' })),
    expiresAt: Type.Optional(instant('When trust ends')),
    metadata: Type.Optional(metadata('What the superiors made of the metadata')),
    fetches: Type.Integer({ description: 'How many statements were fetched.' }),
    paths: Type.Array(Path, { description: 'Those that came furthest first.' }),
    registration: Type.Optional(
      Type.Object(
        {
          metadata: openObject('Client metadata.'),
          expiresAt: instant('When the registration would end'),
        },
        { description: 'What would be registered; absent when nothing would be.' },
      ),
    ),
    refusal: Type.Optional(
      Type.Object(
        { error: Type.String(), error_description: Type.String() },
        { description: 'Why our own rules refuse a trusted entity.' },
      ),
    ),
  },
  { $id: 'Explanation', description: 'Why an entity is trusted or not.' },
);
