import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { configurationAddress } from '../entity-id.js';
import { decodeStatement } from '../statements/decode-statement.js';
import { parseConfiguration } from '../statements/parse-statement.js';
import {
  anEntity,
  configurationClaims,
  keysOf,
  signAs,
  subordinateClaims,
  type TestEntity,
} from '../testing/test-entity.js';
import { DEFAULT_DISCOVERY_LIMITS } from './discovery-ports.js';
import { resolveTrust } from './resolve-trust.js';
import { createStatementReader } from './statement-reader.js';

// The figures of OpenID Federation 1.0, appendix A, with our own keys in place of those that are truncated there.

const RULES = { profile: 'final', allowHosts: [] } as const;
const TIMES = { iat: 1_568_310_847, exp: 1_568_397_247 };

const [edugain, swamid, incommon, umu, op, wiki] = [
  anEntity('https://edugain.geant.org'),
  anEntity('https://swamid.se'),
  anEntity('https://incommon.org'),
  anEntity('https://umu.se'),
  anEntity('https://op.umu.se'),
  anEntity('https://wiki.ligo.org'),
];

const FETCH_ENDPOINTS: ReadonlyMap<TestEntity, string> = new Map([
  [edugain, 'https://geant.org/edugain/api'],
  [swamid, 'https://swamid.se/fedapi'],
  [incommon, 'https://incommon.org/fedapi'],
  [umu, 'https://umu.se/oidc/fedapi'],
]);

const EDUGAIN_POLICY = {
  openid_provider: { contacts: { add: ['ops@edugain.geant.org'] } },
  openid_relying_party: { contacts: { add: ['ops@edugain.geant.org'] } },
};

/** The served statements, by URL. */
const SERVED = new Map([
  ...superior(edugain),
  ...superior(swamid, edugain),
  ...superior(incommon, edugain),
  ...superior(umu, swamid),
  // Figure 59: Subordinate Statement Issued by https://umu.se about https://op.umu.se
  about(umu, op, {
    openid_provider: {
      contacts: { add: ['ops@swamid.se'] },
      organization_name: { value: 'University of Umeå' },
      subject_types_supported: { value: ['pairwise'] },
      token_endpoint_auth_methods_supported: {
        default: ['private_key_jwt'],
        subset_of: ['private_key_jwt', 'client_secret_jwt'],
        superset_of: ['private_key_jwt'],
      },
    },
  }),
  // Figure 63: Subordinate Statement Issued by https://swamid.se about https://umu.se
  about(swamid, umu, {
    openid_provider: {
      id_token_signing_alg_values_supported: { subset_of: ['RS256', 'ES256', 'ES384', 'ES512'] },
      token_endpoint_auth_methods_supported: { subset_of: ['client_secret_jwt', 'private_key_jwt'] },
      userinfo_signing_alg_values_supported: { subset_of: ['ES256', 'ES384', 'ES512'] },
    },
  }),
  // Figures 67 and 70: Subordinate Statement issued by https://edugain.geant.org about https://swamid.se
  about(edugain, swamid, EDUGAIN_POLICY),
  about(edugain, incommon, EDUGAIN_POLICY),
  // Figure 71: Metadata Policy Related to the RP
  about(incommon, wiki, {
    openid_relying_party: {
      application_type: { one_of: ['web', 'native'] },
      contacts: { add: ['ops@incommon.org'] },
      grant_types: { subset_of: ['authorization_code', 'refresh_token'] },
    },
  }),
]);

/** Figures 57, 61 and 65: the configuration of a superior. */
function superior(entity: TestEntity, above?: TestEntity): readonly (readonly [string, string])[] {
  const hints = above === undefined ? {} : { authority_hints: [above.id] };
  const metadata = { federation_entity: { federation_fetch_endpoint: FETCH_ENDPOINTS.get(entity) ?? '' } };
  const claims = configurationClaims(entity, { ...TIMES, ...hints, metadata });
  return [[configurationAddress(entity.id), signAs(entity, claims)]];
}

function about(above: TestEntity, entity: TestEntity, policy: JsonObject): readonly [string, string] {
  const endpoint = FETCH_ENDPOINTS.get(above) ?? '';
  const changes = { ...TIMES, source_endpoint: endpoint, metadata_policy: policy };
  const address = `${endpoint}?sub=${encodeURIComponent(entity.id)}`;
  return [address, signAs(above, subordinateClaims(above, entity, changes))];
}

/** Resolves the chain of an entity to eduGAIN. */
async function resolve(entity: TestEntity, hint: TestEntity, entityType: string, members: JsonObject) {
  const metadata = { [entityType]: members };
  const claims = configurationClaims(entity, { ...TIMES, authority_hints: [hint.id], metadata });
  const fetched: string[] = [];
  const reader = createStatementReader({
    fetch: async (address) => {
      fetched.push(address);
      return SERVED.get(address);
    },
    clock: { nowMs: () => TIMES.iat * 1_000 },
    limits: DEFAULT_DISCOVERY_LIMITS,
    rules: RULES,
    signal: new AbortController().signal,
  });
  const subject = parseConfiguration(decodeStatement(signAs(entity, claims)), RULES);
  const rules = {
    anchors: new Map([[edugain.id, keysOf(edugain)]]),
    maxPathLength: 2,
    entityType,
    now: subject.issuedAt,
    requiredMarks: [],
    allowHosts: [],
  };
  const limits = DEFAULT_DISCOVERY_LIMITS;
  const { chosen } = await resolveTrust(subject, rules, { reader, limits, isExhaustive: false });
  return { entities: chosen?.entities, metadata: inAnyOrder(chosen?.metadata[entityType] ?? {}), fetched };
}

/** The order of merged sets is not defined. */
function inAnyOrder(members: JsonObject): JsonObject {
  const sorted = (value: JsonValue) => (Array.isArray(value) ? value.map(String).toSorted() : value);
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, sorted(value)]));
}

describe('OpenID Federation 1.0, appendix A', () => {
  const PROVIDER = {
    issuer: 'https://op.umu.se/openid',
    signed_jwks_uri: 'https://op.umu.se/openid/jwks.jose',
    authorization_endpoint: 'https://op.umu.se/openid/authorization',
    client_registration_types_supported: ['automatic', 'explicit'],
    request_parameter_supported: true,
    grant_types_supported: ['authorization_code', 'implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
    logo_uri: 'https://www.umu.se/img/umu-logo-left-neg-SE.svg',
    op_policy_uri: 'https://www.umu.se/en/website/legal-information/',
    response_types_supported: ['code', 'code id_token', 'token'],
    token_endpoint: 'https://op.umu.se/openid/token',
    federation_registration_endpoint: 'https://op.umu.se/openid/fedreg',
  };
  const RELYING_PARTY = {
    application_type: 'web',
    client_name: 'LIGO Wiki',
    grant_types: ['authorization_code', 'refresh_token'],
    id_token_signing_alg_values_supported: ['ES256', 'PS256', 'RS256'],
    signed_jwks_uri: 'https://wiki.ligo.org/jwks.jose',
    redirect_uris: ['https://wiki.ligo.org/openid/callback'],
    response_types: ['code'],
    subject_type: 'public',
    token_endpoint_auth_method: 'private_key_jwt',
  };

  it('figures 54 to 67: the chain of https://op.umu.se, with one request for each statement', async () => {
    const { entities, fetched } = await resolve(op, umu, 'openid_provider', PROVIDER);
    expect(entities).toEqual([op.id, umu.id, swamid.id, edugain.id]);
    expect(fetched).toEqual([
      // Figures 56 and 58
      'https://umu.se/.well-known/openid-federation',
      'https://umu.se/oidc/fedapi?sub=https%3A%2F%2Fop.umu.se',
      // Figures 60 and 62
      'https://swamid.se/.well-known/openid-federation',
      'https://swamid.se/fedapi?sub=https%3A%2F%2Fumu.se',
      // Figures 64 and 66
      'https://edugain.geant.org/.well-known/openid-federation',
      'https://geant.org/edugain/api?sub=https%3A%2F%2Fswamid.se',
    ]);
  });

  it('figure 68: Resolved Metadata Derived from Trust Chain by Applying Metadata Policies', async () => {
    const { metadata } = await resolve(op, umu, 'openid_provider', {
      ...PROVIDER,
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
      subject_types_supported: ['pairwise', 'public'],
      token_endpoint_auth_methods_supported: [
        'client_secret_post',
        'client_secret_basic',
        'client_secret_jwt',
        'private_key_jwt',
      ],
    });
    expect(metadata).toEqual(
      inAnyOrder({
        ...PROVIDER,
        contacts: ['ops@swamid.se', 'ops@edugain.geant.org'],
        id_token_signing_alg_values_supported: ['RS256', 'ES256'],
        organization_name: 'University of Umeå',
        subject_types_supported: ['pairwise'],
        token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_jwt'],
      }),
    );
  });

  it('figures 70 to 73: Resolved Metadata After Metadata Policy has been Applied', async () => {
    const { entities, metadata } = await resolve(wiki, incommon, 'openid_relying_party', {
      ...RELYING_PARTY,
      contacts: ['ops@ligo.org'],
    });
    expect(entities).toEqual([wiki.id, incommon.id, edugain.id]);
    const contacts = ['ops@ligo.org', 'ops@edugain.geant.org', 'ops@incommon.org'];
    expect(metadata).toEqual(inAnyOrder({ ...RELYING_PARTY, contacts }));
  });
});
