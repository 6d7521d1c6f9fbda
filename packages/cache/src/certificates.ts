import { X509Certificate } from 'node:crypto';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

/**
 * PEM certificates as given. What is not one would otherwise be ignored, or end the client for good.
 * @throws TypeError whose message is one sentence that holds nothing of them.
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
