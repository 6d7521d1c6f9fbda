import type { Client } from '@vestibule/clients';
import type { ClientAuthMethod } from '@vestibule/protocol';
import type { ClientAuthDeps } from './client-auth-deps.js';
import type { ClientCertificate } from './client-certificate.js';

/** What the methods that share the wire form of a client certificate differ in. */
export interface CertificateMethod {
  readonly name: ClientAuthMethod;
  /** Why a certificate within its life is not the client's, in a sentence for operators; `undefined` when it is. */
  whyForeign(
    deps: Pick<ClientAuthDeps, 'remoteKeySets'>,
    client: Pick<Client, 'metadata'>,
    certificate: ClientCertificate,
  ): string | undefined | Promise<string | undefined>;
}
