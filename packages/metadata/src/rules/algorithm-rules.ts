import { HMAC_ALGORITHMS } from '@vestibule/protocol/constants';
import { ALGORITHM_MEMBERS } from '../algorithm-members.js';
import { symmetricAlgorithmMembers } from '../client-secret-need.js';
import { invalidMetadata } from '../metadata-error.js';
import type { MetadataRule } from '../metadata-rule.js';
import { ALGORITHM_USES } from '../supported-metadata.js';

/** Algorithms are supported for their kind of message. */
export const supportedAlgorithms: MetadataRule = ({ members, supported }) => {
  for (const use of ALGORITHM_USES) {
    const names = ALGORITHM_MEMBERS[use];
    const choices = supported.algorithms[use];
    for (const kind of ['signing', 'encryption', 'contentEncryption'] as const) {
      const algorithm = members[names[kind]];
      if (algorithm !== undefined && !choices[kind].includes(algorithm)) {
        throw invalidMetadata(names[kind], 'names an algorithm that is not supported');
      }
    }
  }
};

/** A content encryption needs a key management (OpenID Connect Dynamic Client Registration 1.0 section 2). */
export const encryptionAsAWhole: MetadataRule = ({ members }) => {
  for (const use of ALGORITHM_USES) {
    const { encryption, contentEncryption } = ALGORITHM_MEMBERS[use];
    if (members[contentEncryption] !== undefined && members[encryption] === undefined) {
      throw invalidMetadata(contentEncryption, `needs ${encryption}`);
    }
  }
};

/** The algorithm of client assertions is supported and of the method's family (OpenID Connect Core 1.0 section 9). */
export const assertionAlgorithmOfTheMethod: MetadataRule = ({ members, supported }) => {
  const { token_endpoint_auth_signing_alg: algorithm, token_endpoint_auth_method: method } = members;
  if (algorithm === undefined) return;
  const isHmac = (name: string) => HMAC_ALGORITHMS.some((hmac) => hmac === name);
  const wantsHmac = method === 'client_secret_jwt';
  const choices = supported.authSigningAlgorithms.filter((name) => isHmac(name) === wantsHmac);
  if (!choices.includes(algorithm))
    throw invalidMetadata(
      'token_endpoint_auth_signing_alg',
      `must be one of ${choices.join(', ')} with ${method}`,
    );
};

/** A client without a secret shares no key with the server (OpenID Connect Core 1.0 sections 10.1 and 10.2). */
export const noSharedKeyOfPublicClients: MetadataRule = ({ members }) => {
  if (members.token_endpoint_auth_method !== 'none') return;
  const [name] = symmetricAlgorithmMembers(members);
  if (name !== undefined) {
    throw invalidMetadata(
      name,
      'names a symmetric algorithm, which is not for clients that do not authenticate',
    );
  }
};
