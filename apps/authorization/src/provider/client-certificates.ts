import type { IncomingMessage } from 'node:http';
import { hasRegisteredSubject } from '@vestibule/client-auth';
import { parseClientCertificate } from '@vestibule/client-auth/certificates';
import type { PresentedCertificate } from '@vestibule/service/tls';
import type { ProviderDeps } from './provider-deps.js';

/** The client certificates of requests. */
export interface ClientCertificates {
  /** The certificate whose key the client proved, if it is within its validity period. */
  proved(request: IncomingMessage): PresentedCertificate | undefined;
  /** Whether it has the subject that a member of client metadata registers (RFC 8705 section 2.1.2). */
  hasSubject(request: IncomingMessage, member: string, registered: string): boolean;
}

/** Reads client certificates from the source in the settings. */
export function clientCertificates({
  clientCertificate,
  clock,
}: Pick<ProviderDeps, 'clientCertificate' | 'clock'>): ClientCertificates {
  const proved = (request: IncomingMessage) => {
    const reading = clientCertificate(request);
    if (reading.kind !== 'presented') return undefined;
    const { validFromMs, validToMs } = reading.certificate;
    const now = clock.nowMs();
    return validFromMs <= now && now <= validToMs ? reading.certificate : undefined;
  };
  return {
    proved,
    hasSubject: (request, member, registered) => {
      const certificate = proved(request);
      const parsed = certificate && parseClientCertificate(certificate.der, certificate);
      return parsed !== undefined && hasRegisteredSubject(parsed, member, registered);
    },
  };
}
