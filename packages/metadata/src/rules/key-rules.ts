import {
  hasCertificate,
  hasEncryptionKey,
  hasVerificationKey,
  type PublicJwkSet,
  parsePublicJwks,
} from '@vestibule/crypto/public-keys';
import { ASYMMETRIC_ALGORITHMS, ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS } from '@vestibule/protocol/constants';
import { ALGORITHM_MEMBERS } from '../algorithm-members.js';
import { storedJsonBytes } from '../json-safety.js';
import type { EffectiveMembers } from '../metadata-defaults.js';
import { invalidMetadata } from '../metadata-error.js';
import type { MetadataRule } from '../metadata-rule.js';
import type { MemberName } from '../metadata-schema.js';
import { ALGORITHM_USES } from '../supported-metadata.js';

/** Maximum size of a serialized JWK set: 20 keys with certificate chains. */
const MAX_JWKS_BYTES = 65_536;

/** Keys come by value or by reference (RFC 7591 section 2). */
export const oneSourceOfKeys: MetadataRule = ({ members }) => {
  if (members.jwks !== undefined && members.jwks_uri !== undefined) {
    throw invalidMetadata('jwks', 'does not go with jwks_uri');
  }
};

/** Keys are public, strong enough and not too many (RFC 7517 section 5, RFC 7518 section 6). */
export const publicKeys: MetadataRule = ({ members }) => {
  if (members.jwks === undefined) return;
  if (storedJsonBytes(members.jwks) > MAX_JWKS_BYTES) throw invalidMetadata('jwks', 'is too large');
  parsedKeys(members.jwks);
};

/** A client that authenticates with a key has such a key (RFC 7523 section 3). */
export const keyOfTheMethod: MetadataRule = ({ members }) => {
  if (members.token_endpoint_auth_method !== 'private_key_jwt') return;
  const algorithm = members.token_endpoint_auth_signing_alg;
  const choices = ASYMMETRIC_ALGORITHMS.filter((choice) => algorithm === undefined || choice === algorithm);
  requireKey(members, 'token_endpoint_auth_method', (keys) =>
    choices.some((choice) => hasVerificationKey(keys, choice)),
  );
};

/** A client that authenticates with a self-signed certificate has registered one (RFC 8705 section 2.2.2). */
export const certificateOfTheMethod: MetadataRule = ({
  members: { token_endpoint_auth_method: method, jwks, jwks_uri },
}) => {
  if (method !== 'self_signed_tls_client_auth' || jwks_uri !== undefined) return;
  if (jwks === undefined || !hasCertificate(parsedKeys(jwks)))
    throw invalidMetadata(
      'token_endpoint_auth_method',
      'needs a certificate in the x5c of a key in jwks, or jwks_uri',
    );
};

/** A client that signs request objects with a key pair has a key to verify them (RFC 9101 section 10.2). */
export const keyOfRequestObjects: MetadataRule = ({ members }) => {
  const algorithm = ASYMMETRIC_ALGORITHMS.find((known) => known === members.request_object_signing_alg);
  if (algorithm === undefined) return;
  requireKey(members, 'request_object_signing_alg', (keys) => hasVerificationKey(keys, algorithm));
};

/** A client that receives encrypted messages has a key to encrypt to (OpenID Connect Core 1.0 section 10.2). */
export const keyOfEncryptedMessages: MetadataRule = ({ members }) => {
  for (const use of ALGORITHM_USES) {
    const name = ALGORITHM_MEMBERS[use].encryption;
    const algorithm = ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS.find((known) => known === members[name]);
    // Request objects are encrypted to the server's key.
    if (use === 'request_object' || algorithm === undefined) continue;
    requireKey(members, name, (keys) => hasEncryptionKey(keys, algorithm));
  }
};

// Keys at jwks_uri are checked when they are used.
function requireKey(
  { jwks, jwks_uri }: EffectiveMembers,
  needing: MemberName,
  isSuitable: (keys: PublicJwkSet) => boolean,
): void {
  if (jwks_uri !== undefined) return;
  if (jwks === undefined || !isSuitable(parsedKeys(jwks))) {
    throw invalidMetadata(needing, 'needs a usable key in jwks or jwks_uri');
  }
}

function parsedKeys(jwks: NonNullable<EffectiveMembers['jwks']>): PublicJwkSet {
  const result = parsePublicJwks(jwks);
  if (!result.ok) throw invalidMetadata('jwks', `is not acceptable: ${result.reason}`);
  return result.jwks;
}
