import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = 'private-key.pem';
if (!existsSync(FILE)) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(FILE, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
}

export const privateKey = createPrivateKey(readFileSync(FILE));
const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
export const keyId = createHash('sha256').update(jwk.n).digest('base64url');
export const publicKeys = [{ ...jwk, kid: keyId, use: 'sig', alg: 'RS256' }];
