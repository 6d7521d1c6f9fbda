import { type Reading, secretSetting, secretValueSetting } from '@vestibule/service/settings';
import Type from 'typebox';
import { type PrivateKey, parsePrivateKeys } from '../identity/upstream-token-keys.js';

const KEYS_FORM = 'PEM private keys on the curves P-256 and Ed25519';

/** At least 32 bytes in base64url. */
const NONCE_KEY = /^[\w-]{43,}$/;

/** Settings about what upstreams and clients learn. */
export const UPSTREAM_SETTINGS = {
  IDENTITY_HEADERS_ENABLED: Type.Boolean({
    description: 'Whether the X-Token headers have values. Otherwise they are empty.',
    default: true,
  }),
  UPSTREAM_TOKEN_KEYS: secretValueSetting<readonly PrivateKey[]>({
    description:
      'Keys of signed tokens for upstreams, which replace the access token in `Authorization`; the first one signs. Without it, `Authorization` is left as it is.',
    form: KEYS_FORM,
    default: [],
    read: readKeys,
  }),
  UPSTREAM_TOKEN_LIFETIME_SECONDS: Type.Integer({
    description: 'Lifetime of signed tokens for upstreams; they never outlive the access token.',
    default: 60,
    minimum: 10,
    maximum: 60,
  }),
  DPOP_NONCE_KEY: Type.Optional(
    secretSetting({
      description:
        'Requires DPoP proofs with a nonce that is derived from this key. All instances need the same key.',
      form: '32 or more random bytes in base64url',
      problem: (text) => (NONCE_KEY.test(text) ? undefined : 'must be 32 or more random bytes in base64url'),
    }),
  ),
};

function readKeys(text: string): Reading<readonly PrivateKey[]> {
  const keys = parsePrivateKeys(text);
  return keys === undefined ? { problem: `must be ${KEYS_FORM}` } : { value: keys };
}
