/**
 * The sources that are mutated together, and the tests that have to notice.
 * @typedef {object} MutatedRules
 * @property {readonly string[]} sources Files, and folders with their files; from the root of the repository.
 * @property {readonly string[]} tests Globs of test files.
 * @property {readonly string[]} [excludedTests]
 * @property {readonly string[]} [slowTests] Names of slow tests among them that run too.
 * @property {boolean} [needsServices] Whether the tests need Postgres and Redis.
 * @property {number} [leastScore] The least share of killed mutants; without it the score is only reported.
 */

const CLIENTS = 'packages/clients/src';
const FEDERATION = 'packages/federation/src';
const METADATA = 'packages/metadata/src';

/** @type {Readonly<Record<string, MutatedRules>>} */
export const MUTATED_RULES = {
  federation: {
    sources: [
      ...['chains/', 'constraints/', 'statements/', 'trust-marks/'].map(
        (folder) => `${FEDERATION}/${folder}`,
      ),
      `${FEDERATION}/entity-id.ts`,
    ],
    tests: [`${FEDERATION}/**/*.test.ts`],
    // Tests of registrations use the validator and are slow.
    excludedTests: [`${FEDERATION}/registration/**`],
    leastScore: 0.95,
  },
  metadata: { sources: [`${METADATA}/policy/`], tests: [`${METADATA}/**/*.test.ts`], leastScore: 0.95 },
  clients: {
    sources: [`${CLIENTS}/policy/evaluate-by-policy.ts`, `${CLIENTS}/policy/member-policy.ts`],
    tests: [`${CLIENTS}/**/*.test.ts`],
    leastScore: 0.85,
  },
  'apps/federation': {
    sources: [
      'apps/federation/src/explanation-page-routes.ts',
      'apps/federation/src/register-entity.ts',
      `${CLIENTS}/federation-registration/entity-registration.ts`,
      `${CLIENTS}/federation-registration/register-federated-client.ts`,
      `${FEDERATION}/clients/federated-registration.ts`,
      `${FEDERATION}/clients/resolve-relying-party.ts`,
      `${FEDERATION}/registration/automatic-request.ts`,
      `${FEDERATION}/registration/registration-statement.ts`,
      `${FEDERATION}/registration/signed-key-set.ts`,
      'packages/service/src/federation/anchor-file.ts',
      'packages/service/src/federation/compose-registration.ts',
    ],
    tests: [
      'apps/federation/test/**/*.test.ts',
      `${CLIENTS}/federation-registration/*.test.ts`,
      `${CLIENTS}/registration/*.test.ts`,
      `${FEDERATION}/clients/*.test.ts`,
      `${FEDERATION}/registration/*.test.ts`,
    ],
    needsServices: true,
  },
  'apps/registration': {
    sources: [
      'apps/registration/src/management-authorities.ts',
      'apps/registration/src/presentation.ts',
      'apps/registration/src/registration-authorities.ts',
      'apps/registration/src/routes.ts',
      `${CLIENTS}/blocks/`,
      `${CLIENTS}/federation-registration/`,
      `${CLIENTS}/management/`,
      `${CLIENTS}/policy/`,
      `${CLIENTS}/registration/`,
      `${CLIENTS}/resource-servers/`,
      'packages/egress/src/fetch-json.ts',
      'packages/egress/src/key-set-fetcher.ts',
      'packages/egress/src/sector-identifier-source.ts',
      'packages/http/src/errors/error-table.ts',
      'packages/http/src/routes/cross-origin.ts',
      'packages/http/src/routes/resource.ts',
      `${METADATA}/metadata-rules.ts`,
      `${METADATA}/plain-text.ts`,
      `${METADATA}/uris/uri-reading.ts`,
      `${METADATA}/rules/`,
      'packages/protocol/src/json/parse-json-members.ts',
      'packages/protocol/src/json/parse-json.ts',
      'packages/protocol/src/uri-host.ts',
      'packages/service/src/shared-settings/cross-origin-settings.ts',
    ],
    tests: [
      'apps/registration/test/**/*.test.ts',
      `${CLIENTS}/**/*.test.ts`,
      `${METADATA}/**/*.test.ts`,
      'packages/protocol/src/**/*.test.ts',
      'packages/service/src/{settings,shared-settings}/*.test.ts',
    ],
    slowTests: ['every-member', 'internal-addresses'],
    needsServices: true,
  },
};
