import { createStatementReader, DEFAULT_DISCOVERY_LIMITS, resolveTrust } from '@vestibule/federation/chains';
import { decodeStatement, parseConfiguration } from '@vestibule/federation/statements';
import { NOW, SIGN, served, soundStatements, threeLevels, trustRules } from '@vestibule/federation/testing';
import { applyPolicy, mergePolicies, parseMetadataPolicy } from '@vestibule/metadata/policy';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { FigureWorkload } from './workload.js';

const POLICY_AT_MOST_MS = 0.2;
const VALIDATION_AT_MOST_MS = 5;
const WARMING = 500;
const STATEMENT_RULES = { profile: 'final', allowHosts: [] } as const;

const ANCHOR_POLICY = {
  openid_relying_party: {
    grant_types: {
      default: ['authorization_code'],
      subset_of: ['authorization_code', 'refresh_token'],
      superset_of: ['authorization_code'],
    },
    response_types: { subset_of: ['code'], essential: true },
    token_endpoint_auth_method: { one_of: ['private_key_jwt', 'self_signed_tls_client_auth'] },
    id_token_signed_response_alg: { one_of: ['ES256', 'PS256'], default: 'ES256' },
    scope: { subset_of: ['openid', 'profile', 'email', 'offline_access'], superset_of: ['openid'] },
    contacts: { add: ['help@anchor.example.org'] },
    subject_type: { value: 'pairwise' },
  },
};
const ORGANISATION_POLICY = {
  openid_relying_party: {
    grant_types: { subset_of: ['authorization_code'] },
    token_endpoint_auth_method: { one_of: ['private_key_jwt'], default: 'private_key_jwt' },
    scope: { subset_of: ['openid', 'profile', 'email'] },
    contacts: { add: ['help@org.example.com'] },
    client_name: { essential: true },
  },
};
const METADATA = {
  openid_relying_party: {
    redirect_uris: ['https://rp.example.com/cb'],
    response_types: ['code'],
    client_name: 'An application',
    scope: 'openid email offline_access',
    contacts: ['admin@rp.example.com'],
  },
};

/** The CPU cost of validating a chain whose statements are all available. */
export function federationValidationWorkload({ effort }: TestEnvironment): FigureWorkload {
  return {
    kind: 'figures',
    id: 'federation-validation',
    title: 'validating a trust chain of three levels with two policies, statements available (ES256)',
    measure: async () => {
      const measured = (work: () => unknown) => cpuTimes(work, effort);
      return [
        {
          name: 'merging and applying its policies, CPU time',
          values: await measured(policyWork()),
          unit: 'ms',
          atMost: POLICY_AT_MOST_MS,
        },
        {
          name: 'finding and validating the chain, CPU time',
          values: await measured(validationWork()),
          unit: 'ms',
          atMost: VALIDATION_AT_MOST_MS,
        },
      ];
    },
  };
}

function policyWork() {
  const [superior, subordinate] = [
    parseMetadataPolicy(ANCHOR_POLICY),
    parseMetadataPolicy(ORGANISATION_POLICY),
  ];
  return () => {
    const merge = mergePolicies(superior, subordinate);
    if (!merge.ok) throw merge.failure;
    const applied = applyPolicy(merge.policy, METADATA);
    if (!applied.ok) throw applied.failure;
  };
}

function validationWork() {
  const world = threeLevels();
  const statements = {
    ...soundStatements(world),
    leaf: SIGN.leaf(world, { metadata: METADATA }),
    aboutLeaf: SIGN.aboutLeaf(world, {
      metadata_policy: ORGANISATION_POLICY,
      constraints: { naming_constraints: { permitted: ['.example.com'] } },
    }),
    aboutOrg: SIGN.aboutOrg(world, { metadata_policy: ANCHOR_POLICY, constraints: { max_path_length: 1 } }),
  };
  const places = served(world, statements);
  const rules = trustRules(world);
  const limits = DEFAULT_DISCOVERY_LIMITS;
  const cache = {
    get: async (address: string) => places.get(address),
    put: async () => {},
    takeRenewal: async () => false,
  };
  const clock = { nowMs: () => NOW * 1_000 };
  const { signal } = new AbortController();
  return async () => {
    const fetch = async () => undefined;
    const reader = createStatementReader({ fetch, cache, clock, limits, rules: STATEMENT_RULES, signal });
    const subject = parseConfiguration(decodeStatement(statements.leaf), STATEMENT_RULES);
    const { chosen, fetches } = await resolveTrust(subject, rules, { reader, limits, isExhaustive: false });
    if (chosen === undefined || fetches > 0) throw new Error('the chain is not trusted');
  };
}

/** The cost of one call in milliseconds of CPU time of all threads, for each round. */
async function cpuTimes(
  work: () => unknown,
  { rounds, seconds }: Pick<TestEnvironment['effort'], 'rounds' | 'seconds'>,
): Promise<readonly number[]> {
  for (let run = 0; run < WARMING; run += 1) await work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [before, endMs] = [process.cpuUsage(), performance.now() + seconds * 500];
    let runs = 0;
    for (; performance.now() < endMs; runs += 1) await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000 / runs);
  }
  return times;
}
