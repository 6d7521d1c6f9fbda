import { applyPolicy, mergePolicies, parseMetadataPolicy, policyToJson } from '@vestibule/metadata/policy';
import { describe, expect, it } from 'vitest';
import { withSuperiorMetadata } from './superior-metadata.js';

const TYPE = 'openid_relying_party';

/** The policies of the example in OpenID Federation 1.0 section 6.1.5, by the titles of their figures. */
const ANCHOR_POLICY = {
  [TYPE]: {
    grant_types: {
      default: ['authorization_code'],
      subset_of: ['authorization_code', 'refresh_token'],
      superset_of: ['authorization_code'],
    },
    token_endpoint_auth_method: {
      one_of: ['private_key_jwt', 'self_signed_tls_client_auth'],
      essential: true,
    },
    token_endpoint_auth_signing_alg: { one_of: ['PS256', 'ES256'] },
    subject_type: { value: 'pairwise' },
    contacts: { add: ['helpdesk@federation.example.org'] },
  },
};
const INTERMEDIATE_POLICY = {
  [TYPE]: {
    grant_types: { subset_of: ['authorization_code'] },
    token_endpoint_auth_method: { one_of: ['self_signed_tls_client_auth'] },
    contacts: { add: ['helpdesk@org.example.org'] },
  },
};
const INTERMEDIATE_METADATA = {
  [TYPE]: {
    sector_identifier_uri: 'https://org.example.org/sector-ids.json',
    policy_uri: 'https://org.example.org/policy.html',
  },
};
const LEAF_METADATA = {
  [TYPE]: {
    redirect_uris: ['https://rp.example.org/callback'],
    response_types: ['code'],
    token_endpoint_auth_method: 'self_signed_tls_client_auth',
    contacts: ['rp_admins@rp.example.org'],
  },
};

function merged() {
  const result = mergePolicies(parseMetadataPolicy(ANCHOR_POLICY), parseMetadataPolicy(INTERMEDIATE_POLICY));
  if (!result.ok) throw result.failure;
  return result.policy;
}

describe('OpenID Federation 1.0, figures', () => {
  it('Example metadata_policy Claim', () => {
    const policy = parseMetadataPolicy({
      [TYPE]: {
        id_token_signed_response_alg: { default: 'ES256', one_of: ['ES256', 'ES384', 'ES512'] },
      },
    });
    const resolve = (alg?: string) =>
      applyPolicy(policy, { [TYPE]: alg === undefined ? {} : { id_token_signed_response_alg: alg } });
    expect(resolve()).toMatchObject({ metadata: { [TYPE]: { id_token_signed_response_alg: 'ES256' } } });
    expect(resolve('ES512').ok).toBe(true);
    expect(resolve('RS256').ok).toBe(false);
  });

  it('Examples of Outputs with Combinations of essential and subset_of for Different Inputs', () => {
    const rows = [
      [true, ['a', 'e'], ['a']],
      [false, ['a', 'e'], ['a']],
      [true, ['d', 'e'], []],
      [false, ['d', 'e'], []],
      [true, undefined, 'error'],
      [false, undefined, undefined],
    ] as const;
    for (const [essential, input, output] of rows) {
      const policy = parseMetadataPolicy({ [TYPE]: { p: { essential, subset_of: ['a', 'b', 'c'] } } });
      const result = applyPolicy(policy, { [TYPE]: input === undefined ? {} : { p: input } });
      expect(result.ok ? result.metadata[TYPE]?.['p'] : 'error').toEqual(output);
    }
  });

  it('Example Merged Metadata Policy for RPs', () => {
    expect(policyToJson(merged())).toEqual({
      [TYPE]: {
        grant_types: {
          default: ['authorization_code'],
          superset_of: ['authorization_code'],
          subset_of: ['authorization_code'],
        },
        token_endpoint_auth_method: { one_of: ['self_signed_tls_client_auth'], essential: true },
        token_endpoint_auth_signing_alg: { one_of: ['PS256', 'ES256'] },
        subject_type: { value: 'pairwise' },
        contacts: { add: ['helpdesk@federation.example.org', 'helpdesk@org.example.org'] },
      },
    });
  });

  it('The Resulting Resolved RP Metadata for the Trust Chain Subject', () => {
    const metadata = withSuperiorMetadata(LEAF_METADATA, INTERMEDIATE_METADATA);
    const result = applyPolicy(merged(), metadata);
    expect(result.ok && result.metadata).toEqual({
      [TYPE]: {
        redirect_uris: ['https://rp.example.org/callback'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'self_signed_tls_client_auth',
        subject_type: 'pairwise',
        sector_identifier_uri: 'https://org.example.org/sector-ids.json',
        policy_uri: 'https://org.example.org/policy.html',
        contacts: ['rp_admins@rp.example.org', 'helpdesk@federation.example.org', 'helpdesk@org.example.org'],
      },
    });
  });
});
