import type { Closers } from '@vestibule/local-services';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Fleet, openFleet } from '../fleet/fleet.js';
import { type Gateway, openGateway } from '../fleet/gateway.js';
import { postJson } from '../load/http.js';
import { type ServiceUnderFault, startService } from '../processes/service.js';
import type { Cluster } from '../test-environment/cluster.js';
import { freshMasterToken, masterSettings } from '../traffic/master-token.js';
import { DOCUMENT_REDIRECT_URI, type DocumentHost, openDocumentHost } from './document-host.js';
import { HOST_FAULTS, type HostFault } from './host-faults.js';

/** How long documents count in the trial, in seconds. */
export const DOCUMENT_SECONDS = { lifetime: 5, stale: 5, retry: 1 };

/** Hosts of documents, and the services that fetch them. */
export interface DocumentWorld {
  /** A host that never fails. */
  readonly good: DocumentHost;
  /** A host that withdraws its documents. */
  readonly withdrawing: DocumentHost;
  /** A host for each fault. */
  readonly failing: ReadonlyMap<HostFault, DocumentHost>;
  readonly registration: Gateway;
  /** Two instances that are not killed. */
  readonly authorization: Fleet;
  /** A third instance, which is. */
  readonly victim: ServiceUnderFault;
  readonly masterToken: string;
  /** The identifier of a registered public client with the redirect URI of the documents. */
  readonly registeredClient: string;
}

const Registered = Type.Object({ client_id: Type.String() });

/** Opens hosts of documents, and starts the services. */
export async function openDocumentWorld(
  { postgres, installation }: Cluster,
  toEnd: Closers,
): Promise<DocumentWorld> {
  const openHost = async () => {
    const host = await openDocumentHost();
    toEnd.add(host.close);
    return host;
  };
  const [good, withdrawing] = [await openHost(), await openHost()];
  const failing = new Map<HostFault, DocumentHost>();
  for (const fault of HOST_FAULTS) failing.set(fault, await openHost());
  const masterToken = freshMasterToken();
  const environment = {
    ...installation.environment,
    DATABASE_URL: postgres.url(installation.database),
    ...masterSettings(masterToken),
  };
  const withDocuments = {
    ...environment,
    // With more, a process keeps garbage for so long that nothing can be said about its growth.
    NODE_OPTIONS: '--max-old-space-size=96',
    ACCESS_TOKEN_SIGNING_ALG: 'ES256',
    CLIENT_ID_METADATA_DOCUMENTS: 'any',
    METADATA_DOCUMENT_URIS: 'any',
    METADATA_DOCUMENT_MIN_SECONDS: String(DOCUMENT_SECONDS.lifetime),
    METADATA_DOCUMENT_MAX_SECONDS: String(DOCUMENT_SECONDS.lifetime),
    METADATA_DOCUMENT_STALE_SECONDS: String(DOCUMENT_SECONDS.stale),
    METADATA_DOCUMENT_RETRY_SECONDS: String(DOCUMENT_SECONDS.retry),
    EGRESS_ALLOW_HOSTS: [good, withdrawing, ...failing.values()].map(({ host }) => host).join(','),
  };
  const started = async (name: string, settings: Readonly<Record<string, string>>) => {
    const service = await startService({ name, environment: settings });
    toEnd.add(service.stop);
    return service;
  };
  const registration = await started('registration', environment);
  const gateway = await openGateway([registration]);
  toEnd.add(gateway.close);
  return {
    good,
    withdrawing,
    failing,
    registration: gateway,
    authorization: await openFleet({ name: 'authorization', environment: withDocuments }, toEnd),
    victim: await started('authorization', withDocuments),
    masterToken,
    registeredClient: await registerClient(registration, masterToken),
  };
}

async function registerClient({ port }: ServiceUnderFault, masterToken: string): Promise<string> {
  const metadata = { token_endpoint_auth_method: 'none', redirect_uris: [DOCUMENT_REDIRECT_URI] };
  const { body } = await postJson(port, '/clients', masterToken, metadata);
  return Value.Parse(Registered, JSON.parse(body)).client_id;
}
