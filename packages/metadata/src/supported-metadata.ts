import { KEY_PAIR_ENCRYPTION_ALGORITHMS } from '@vestibule/crypto/signing-keys';
import {
  ASYMMETRIC_ALGORITHMS,
  ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  type AsymmetricAlgorithm,
  CLIENT_AUTH_METHODS,
  type ClientAuthMethod,
  CONTENT_ENCRYPTION_ALGORITHMS,
  GRANT_TYPES,
  type GrantType,
  HMAC_ALGORITHMS,
  SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
} from '@vestibule/protocol/constants';

/** Kinds of messages with algorithms; each is a prefix of member names, as in `userinfo_signed_response_alg`. */
export const ALGORITHM_USES = [
  'id_token',
  'userinfo',
  'request_object',
  'authorization',
  'introspection',
] as const;

/** A kind of signed, and possibly encrypted, message between server and client. */
export type AlgorithmUse = (typeof ALGORITHM_USES)[number];

/** Algorithms of one kind of message. An empty list disables the members. */
export interface SupportedAlgorithms {
  /** JWS algorithms. The first one is the default for ID tokens. */
  readonly signing: readonly string[];
  /** JWE key management algorithms. */
  readonly encryption: readonly string[];
  /** JWE content encryption algorithms. */
  readonly contentEncryption: readonly string[];
}

/** What the server supports: the values that metadata is checked against and that discovery publishes. */
export interface SupportedMetadata {
  /** Grant types that can be registered. */
  readonly grantTypes: readonly GrantType[];
  /** Response types in canonical spelling: values within one in alphabetical order. */
  readonly responseTypes: readonly string[];
  /** The first one is the default. */
  readonly subjectTypes: readonly ('public' | 'pairwise')[];
  /** The first one is the default. */
  readonly authMethods: readonly ClientAuthMethod[];
  /** JWS algorithms of client assertions (RFC 7523). */
  readonly authSigningAlgorithms: readonly string[];
  readonly algorithms: Readonly<Record<AlgorithmUse, SupportedAlgorithms>>;
  /** RFC 9396 section 10. If empty, the member is unknown. */
  readonly authorizationDetailsTypes: readonly string[];
  /** OpenID Federation 1.0 section 5.1.2. */
  readonly clientRegistrationTypes: readonly string[];
}

/** Overrides of `defaultSupportedMetadata`. */
export interface SupportedMetadataOptions {
  /**
   * Grant types that can be registered. Default: all seven of registration/API.md#tokens, and no extension grant
   * type.
   */
  readonly grantTypes?: readonly GrantType[];
  /** Default: every known method, `client_secret_basic` first. */
  readonly authMethods?: readonly ClientAuthMethod[];
  /** Key-pair algorithms with a signing key of the server, the ID token default first. Default: all, RS256 first. */
  readonly signingAlgorithms?: readonly AsymmetricAlgorithm[];
}

const RESPONSE_TYPES = [
  'code',
  'id_token',
  'id_token token',
  'token',
  'code id_token',
  'code token',
  'code id_token token',
];

const ENCRYPTION = {
  encryption: [...ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS, ...SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS],
  contentEncryption: CONTENT_ENCRYPTION_ALGORITHMS,
};

/** Request objects are encrypted to the server's own keys, each of which is for one algorithm. */
const REQUEST_ENCRYPTION = {
  ...ENCRYPTION,
  encryption: [...KEY_PAIR_ENCRYPTION_ALGORITHMS, ...SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS],
};

/** What the product supports by default. */
export function defaultSupportedMetadata(options: SupportedMetadataOptions = {}): SupportedMetadata {
  const {
    grantTypes = GRANT_TYPES,
    authMethods = CLIENT_AUTH_METHODS,
    signingAlgorithms = ASYMMETRIC_ALGORITHMS,
  } = options;
  const verified = [...ASYMMETRIC_ALGORITHMS, ...HMAC_ALGORITHMS];
  const signed = { signing: [...signingAlgorithms, ...HMAC_ALGORITHMS], ...ENCRYPTION };
  return {
    grantTypes,
    responseTypes: RESPONSE_TYPES.filter((responseType) => isPerformed(responseType, grantTypes)),
    subjectTypes: ['public', 'pairwise'],
    authMethods,
    authSigningAlgorithms: verified,
    algorithms: {
      id_token: signed,
      userinfo: signed,
      request_object: { signing: verified, ...REQUEST_ENCRYPTION },
      authorization: signed,
      // A resource server's secret is only for authentication, so responses are signed with the server's keys.
      introspection: { signing: signingAlgorithms, ...ENCRYPTION },
    },
    authorizationDetailsTypes: [],
    clientRegistrationTypes: ['explicit', 'automatic'],
  };
}

/** Grant types that start at the authorization endpoint and so have response types (RFC 7591 section 2.1). */
export const BROWSER_GRANT_TYPES = ['authorization_code', 'implicit'] as const satisfies readonly GrantType[];

/** Returns the grant types that a response type needs (OpenID Connect Dynamic Client Registration 1.0 section 2). */
export function grantTypesOfResponseType(responseType: string): readonly GrantType[] {
  const values = responseType.split(' ');
  const needed: GrantType[] = [];
  if (values.includes('code')) needed.push('authorization_code');
  if (values.includes('token') || values.includes('id_token')) needed.push('implicit');
  return needed;
}

function isPerformed(responseType: string, grantTypes: readonly GrantType[]): boolean {
  return grantTypesOfResponseType(responseType).every((grantType) => grantTypes.includes(grantType));
}
