import type { MemberName } from './metadata-schema.js';
import type { AlgorithmUse } from './supported-metadata.js';

/** Names of the members that select algorithms, by kind of message. */
export const ALGORITHM_MEMBERS = {
  id_token: {
    signing: 'id_token_signed_response_alg',
    encryption: 'id_token_encrypted_response_alg',
    contentEncryption: 'id_token_encrypted_response_enc',
  },
  userinfo: {
    signing: 'userinfo_signed_response_alg',
    encryption: 'userinfo_encrypted_response_alg',
    contentEncryption: 'userinfo_encrypted_response_enc',
  },
  request_object: {
    signing: 'request_object_signing_alg',
    encryption: 'request_object_encryption_alg',
    contentEncryption: 'request_object_encryption_enc',
  },
  authorization: {
    signing: 'authorization_signed_response_alg',
    encryption: 'authorization_encrypted_response_alg',
    contentEncryption: 'authorization_encrypted_response_enc',
  },
  introspection: {
    signing: 'introspection_signed_response_alg',
    encryption: 'introspection_encrypted_response_alg',
    contentEncryption: 'introspection_encrypted_response_enc',
  },
} as const satisfies Record<
  AlgorithmUse,
  { signing: MemberName; encryption: MemberName; contentEncryption: MemberName }
>;
