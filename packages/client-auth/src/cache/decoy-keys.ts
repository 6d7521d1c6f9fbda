import { randomAlphanumeric, secureRandom } from '@vestibule/crypto';
import { secretVerificationKeys, type VerificationKeySource } from '@vestibule/crypto/jwt';
import { parsePublicJwks, selectVerificationKeys } from '@vestibule/crypto/public-keys';
import { HMAC_MIN_SECRET_BYTES } from '@vestibule/protocol/constants';

/**
 * Decoy keys for a client without keys, so that an assertion of an unknown client takes the same time. Verification
 * with them proves nothing.
 */
export const decoyKeys: VerificationKeySource = (hint) => {
  const secrets = secretVerificationKeys([DECOY_SECRET], hint);
  return secrets.length > 0 ? secrets : selectVerificationKeys(decoyKeySet(), { ...hint, kid: undefined });
};

/** As long as the longest key of an HMAC algorithm. */
const DECOY_SECRET = randomAlphanumeric(HMAC_MIN_SECRET_BYTES.HS512, secureRandom);

let parsed: ReturnType<typeof parseDecoyKeySet> | undefined;

/** Created on first use, and kept with its imported keys. */
function decoyKeySet() {
  parsed ??= parseDecoyKeySet();
  return parsed;
}

function parseDecoyKeySet() {
  const result = parsePublicJwks({ keys: DECOY_KEYS });
  if (!result.ok) throw new Error(result.reason);
  return result.jwks;
}

/** Generated once; their private keys were never stored. */
const DECOY_KEYS = [
  {
    kty: 'RSA',
    n: '11qdUbhi4eP8U6mxby_LP8Q1e3jaCUUaSGCD2anwAA1p0mxE_EGoMq9KGUTZ1pVPGJKr_CsfPXskhnEC6biy0WStAmBcNt7JiOQyj-oGfUtvjp8bKnvxHEL6eHsKbpVhtTO4o14uTetttd0zr86gAVM0HiJiF3ihvtLnwNmcGPgMZ7RaDDfJ7X2C1BUU04ZbzWiOXdmJPSC4mD2tLUtHtASphRwXFL7Dv8-QyonTTsjMjdwTeMnhQS7gLqxD4X1TLRAYlNrj8Mb_TqaBO-p3nuMpFME9hpDwy1j4Gi7YCds7TWvR36k-Q8NSIiKGfTWfnd5WGojccRgOfa7gUb6HGw',
    e: 'AQAB',
  },
  {
    kty: 'EC',
    crv: 'P-256',
    x: 'JxqkKpFmkmZwXB7OXss8XsZ4-PlhXjLMsdLuHOHf6Fs',
    y: 'j7eOK65hvDwfA2R_5FCv3FA-MxM5jxZpkz0DLCd1rQk',
  },
  {
    kty: 'EC',
    crv: 'P-384',
    x: 'LCXosY0jaTk7uXjIiWjInTOrhsZriXLZLvfP-UO_wdEApk3qbsKi33fWAbjh3Wut',
    y: 'QPunL8Rtx41TM7G13BAL29V3zuzxCqDwQ6IfCJ2kzB7Zpq7u-BhSH-LJIBKET5Z_',
  },
  {
    kty: 'EC',
    crv: 'P-521',
    x: 'AKr2GVK-ftkVqEcXD9sRGvCjOE50pbvtnomTS4m4fIZIEZn3MTdYdy_GBjFp6-EW7CoBd28aRDk_jxBlx3yWg_ud',
    y: 'ATot5ycC6Dt7ZjwPle4UkOU5MBPhpy_WD1qPHI0KnzQhAMP-8DZXcTtAaS5k8PcYLXd0lkbbwtNaU4QXv6AxuofC',
  },
  { kty: 'OKP', crv: 'Ed25519', x: 'x08BkqY_WCImFewb6N2LR7ZJoLVZWnztJrC5pd2GXVY' },
];
