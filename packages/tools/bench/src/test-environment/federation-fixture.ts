import { createServer } from 'node:http';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import {
  type FederationEntity,
  openSmallFederation,
  type SmallFederation,
} from '@vestibule/testkit/federation';
import { rawRequest } from '../load/raw-request.js';
import { type RunningServiceProcess, startService } from '../servers/service.js';
import { type Installation, ISSUER, openInstallation } from './installation.js';
import { kept, type TestEnvironment } from './test-environment.js';

/**
 * The fixture of workloads on federation: a federation whose members are servers of this process, and services that
 * trust it.
 */
export interface FederationFixture {
  installation(): Promise<Installation>;
  federation(): Promise<SmallFederation>;
  /** Starts a service that trusts the anchor, with additional settings; by default the federation service. */
  start(launch?: FederationLaunch): Promise<RunningServiceProcess>;
}

/** How to start a service. */
export interface FederationLaunch {
  readonly name?: string;
  readonly installation?: Installation;
  readonly settings?: Readonly<Record<string, string>>;
  /** By default that of the server under test. */
  readonly prefix?: readonly string[];
}

/** Creates a fixture whose parts are opened on first use. */
export function federationFixture(testEnvironment: TestEnvironment): FederationFixture {
  const { pinning, nodeOptions } = testEnvironment;
  const ownInstallation = kept(() => openInstallation(testEnvironment, 'bench_federation', 'fresh'));
  const federation = kept(async () => {
    const opened = await openSmallFederation();
    testEnvironment.closers.add(opened.close);
    return opened;
  });
  const providerMetadataUrl = kept(() => discoveryDocument(testEnvironment));
  return {
    installation: ownInstallation,
    federation,
    start: async ({ name = 'federation', installation, settings, prefix = pinning.serverPrefix } = {}) => {
      const { environment } = installation ?? (await ownInstallation());
      const { trustAnchors } = await federation();
      return startService({
        name,
        environment: {
          ...environment,
          FEDERATION_ENABLED: 'true',
          FEDERATION_TRUST_ANCHORS: JSON.stringify(trustAnchors),
          PROVIDER_METADATA_URL: await providerMetadataUrl(),
          EGRESS_ALLOW_HOSTS: '127.0.0.1',
          ALLOW_LOOPBACK_REDIRECT_URIS: 'true',
          ...settings,
        },
        prefix,
        nodeOptions,
      });
    },
  };
}

/** Whether a registration was refused: the entity is untrusted, or the limits of the service ended the resolution. */
export function isRefused(status: number): boolean {
  return status === 401 || status === 429;
}

/** Serves the metadata of the authorization server. @returns the address */
async function discoveryDocument({ closers }: TestEnvironment): Promise<string> {
  const document = JSON.stringify({ issuer: ISSUER, grant_types_supported: ['authorization_code'] });
  const server = createServer((_request, response) => {
    response.setHeader('content-type', MEDIA_TYPE.json);
    response.end(document);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.add(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('the server does not listen');
  return `http://127.0.0.1:${address.port}/`;
}

/** The explicit registration request of an entity, signed now. */
export async function registrationRequest(
  { registrationRequest }: SmallFederation,
  relyingParty: FederationEntity,
  changes: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<string> {
  const claims = Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
  return statementRequest(await registrationRequest(relyingParty, ISSUER, { claims }));
}

/** The request that registers with a statement. */
export function statementRequest(body: string): string {
  const headers = { 'content-type': MEDIA_TYPE.entityStatementJwt };
  return rawRequest({ method: 'POST', path: '/federation/clients', headers, body });
}
