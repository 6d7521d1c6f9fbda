export {
  type AlternativeName,
  type ClientCertificate,
  type HandshakeResult,
  parseClientCertificate,
} from './client-certificate.js';
export { whyCertificateRefused } from './client-certificate-proof.js';
export type { DistinguishedName } from './distinguished-name.js';
