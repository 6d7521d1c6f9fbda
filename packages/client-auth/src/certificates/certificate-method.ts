import type { Client } from '@vestibule/clients';
import type { ClientAuthMethod } from '@vestibule/protocol/constants';
import type { ClientAuthDeps } from '../client-auth-deps.js';
import type { ClientCertificate } from './client-certificate.js';

/** How the methods differ that use a client certificate. */
export interface CertificateMethod {
  readonly name: ClientAuthMethod;
  /** Explains to operators why a currently valid certificate is not the client's; `undefined` if it is. */
  whyForeign(
    deps: Pick<ClientAuthDeps, 'remoteKeySets'>,
    client: Pick<Client, 'metadata'>,
    certificate: ClientCertificate,
  ): string | undefined | Promise<string | undefined>;
}
