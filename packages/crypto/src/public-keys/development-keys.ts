import { jwkThumbprint } from './jwk-thumbprint.js';
import type { PublicKeyMaterial } from './public-jwk.js';

/** SHA-256 thumbprints (RFC 7638) of the keys in the package, the documentation and the examples of node-oidc-provider. */
const DEVELOPMENT_KEYS: readonly string[] = [
  'r1LkbBo3925Rb2ZFFrKyU3MVex9T2817Kx0vbi6i_Kc',
  'MFZeG102dQiqbANoaMlW_Jmf7fOZmtRsHt77JFhTpF0',
  'CLjPrbijCB2z9dScRNpM1mSGOQVOIByTmd18Ft2eiAQ',
];

/** Whether the private part of a key is published, so that anyone can sign with it. */
export function isDevelopmentKey(material: PublicKeyMaterial): boolean {
  return DEVELOPMENT_KEYS.includes(jwkThumbprint(material));
}
