import { FEDERATION_REASONS } from '@vestibule/federation';
import { STATEMENT_CHECKS } from '@vestibule/federation/chains';
import { objectOf, openObject } from '@vestibule/http/openapi';
import { POLICY_OPERATORS } from '@vestibule/metadata/policy';
import { Type } from 'typebox';

const entity = Type.String({ description: 'An entity identifier.' });
const reason = Type.Optional(
  Type.Enum(FEDERATION_REASONS, {
    $id: 'Reason',
    description: 'The reason of the refusal; absent if there is none.',
  }),
);
const detail = Type.Optional(Type.String({ description: 'The reason as a sentence.' }));
const anything = (description: string) => Type.Optional(Type.Unknown({ description }));
const instant = (description: string) =>
  Type.Integer({ description: `${description}, in seconds since the Unix epoch.` });

const metadata = (description: string) =>
  objectOf(openObject('Metadata of this type.'), `${description}, by entity type.`);

const Statement = Type.Object(
  {
    kind: Type.Enum(['configuration', 'subordinate'], {
      description: 'Whether it is an entity configuration or a subordinate statement.',
    }),
    issuer: entity,
    subject: entity,
    issuedAt: instant('Time of issue'),
    expiresAt: instant('Time of expiry'),
    algorithm: Type.String({ description: 'The algorithm of the signature.' }),
    keyId: Type.Optional(Type.String({ description: 'The `kid` of the header.' })),
    policy: Type.Optional(openObject('The `metadata_policy` of a subordinate statement.')),
    constraints: Type.Optional(openObject('The `constraints` of a subordinate statement.')),
    checks: Type.Array(Type.Object({ check: Type.Enum(STATEMENT_CHECKS), passed: Type.Boolean() }), {
      description: 'The checks that were made, in order.',
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
    own: metadata('Metadata in the configuration of the entity'),
    overridden: Type.Optional(metadata('Metadata after those in the statement of the immediate superior')),
    merges: Type.Array(
      Type.Object({
        ...place,
        superior: Type.Unknown(),
        subordinate: Type.Unknown(),
        merged: anything('Absent if the policies cannot be merged.'),
      }),
      { description: 'Merging of the policies of several superiors.' },
    ),
    policy: Type.Optional(openObject('The merged policy.')),
    steps: Type.Array(
      Type.Object({
        ...place,
        operand: Type.Unknown(),
        before: anything('Absent if the parameter was absent.'),
        after: anything('Absent if the parameter is absent or the step failed.'),
        passed: Type.Boolean(),
      }),
      { description: 'The effect of each operator.' },
    ),
    resolved: Type.Optional(metadata('Resolved metadata')),
  },
  { $id: 'MetadataSteps', description: 'Resolution of the metadata of the entity.' },
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
  { $id: 'TrustMark', description: 'A trust mark in the configuration of the entity.' },
);

const Path = Type.Object(
  {
    entities: Type.Array(entity, { description: 'The entities of the path, starting with the subject.' }),
    trusted: Type.Boolean(),
    reason,
    detail,
    failedAt: Type.Optional(Type.Object({ issuer: entity, subject: entity })),
    statements: Type.Array(Statement),
    metadata: Type.Optional(MetadataSteps),
    trustMarks: Type.Optional(Type.Array(TrustMark)),
    expiresAt: Type.Optional(instant('Time at which the chain expires')),
  },
  { $id: 'Path', description: 'One path towards an anchor that was tried.' },
);

/** An explanation of why an entity is trusted or not, as in the response. */
export const ExplanationSchema = Type.Object(
  {
    subject: entity,
    trusted: Type.Boolean(),
    reason,
    detail,
    chain: Type.Optional(
      Type.Array(entity, { description: 'The chosen trust chain, starting with the entity.' }),
    ),
    expiresAt: Type.Optional(instant('Time at which trust ends')),
    metadata: Type.Optional(metadata('Resolved metadata')),
    fetches: Type.Integer({ description: 'Number of fetched statements.' }),
    paths: Type.Array(Path, { description: 'The paths that were tried, the most advanced first.' }),
    registration: Type.Optional(
      Type.Object(
        {
          metadata: openObject('Client metadata.'),
          expiresAt: instant('Time at which the registration would end'),
        },
        { description: 'What would be registered; absent if the registration would be refused.' },
      ),
    ),
    refusal: Type.Optional(
      Type.Object(
        { error: Type.String(), error_description: Type.String() },
        { description: 'Why the rules for client metadata refuse a trusted entity.' },
      ),
    ),
  },
  { $id: 'Explanation', description: 'Why an entity is trusted or not.' },
);
