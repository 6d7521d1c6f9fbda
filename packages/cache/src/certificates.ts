import { X509Certificate } from 'node:crypto';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

/**
 * Checks PEM certificates. The client would ignore invalid ones, or stop connecting for good.
 * @throws TypeError with a message of one sentence that contains nothing of the input
 */
export function checkedCertificates(pem: string): string {
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (certificates.length === 0 || !certificates.every(isCertificate)) {
    throw new TypeError('must be PEM certificates');
  }
  return pem;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
