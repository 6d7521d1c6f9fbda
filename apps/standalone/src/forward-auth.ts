import { programActor } from '@vestibule/clients';
import { importClient } from '@vestibule/clients/import';
import { buildForwardAuth, type ForwardAuthConfig, routedResources } from '@vestibule/forward-auth-service';
import { DomainError } from '@vestibule/protocol';
import { introspectionEndpoint } from '@vestibule/protocol/constants';
import type { RegistrationServiceDeps } from '@vestibule/registration';
import { type BuildContext, httpServer, listen } from '@vestibule/service/process';
import { StartError } from '@vestibule/service/settings';
import type { StandaloneConfig } from './config.js';
import { FORWARD_AUTH_CLIENT } from './local-secrets.js';

/**
 * Opens forward authentication on a port of its own, because only gateways may reach it, if there is a routes file. Its
 * client is registered first, unless another one is configured.
 * @throws StartError if the client cannot be registered or the port cannot be opened
 */
export async function openForwardAuth(
  context: BuildContext<StandaloneConfig>,
  registration: Omit<RegistrationServiceDeps, 'limits'>,
): Promise<void> {
  const { settings, logger, ownServer } = context;
  const { forwardAuth: config } = settings;
  if (config === undefined) return;
  if (settings.secrets.forwardAuthSecretFile !== undefined) await registerOwnClient(registration, config);
  const { server } = await buildForwardAuth({ ...context, settings: config });
  ownServer(httpServer('forward-auth', server));
  const { HOST: host, PORT } = config;
  const port = await listen(server, { host, port: PORT, setting: 'FORWARD_AUTH_PORT' });
  logger.info({ host, port, routeGroup: 'forward-auth' }, 'listening');
}

/** Registers the client that may introspect tokens for the resources of the routes file, or updates it. */
async function registerOwnClient(
  registration: Omit<RegistrationServiceDeps, 'limits'>,
  config: ForwardAuthConfig,
): Promise<void> {
  const { INTROSPECTION_CLIENT_SECRET: secret, BASE_URL: issuer } = config;
  if (secret === undefined) throw new TypeError('the client of forward authentication has no secret');
  const metadata = {
    client_name: 'Forward authentication',
    grant_types: ['client_credentials'],
    response_types: [],
    scope: introspectionEndpoint(issuer),
    resource_identifiers: routedResources(config).map(({ identifier }) => identifier),
  };
  try {
    await importClient(registration, {
      client: {
        kind: 'client',
        id: FORWARD_AUTH_CLIENT,
        metadata,
        secret: { kind: 'given', value: secret.reveal() },
        warnings: [],
      },
      operator: programActor('standalone'),
      replacesExisting: true,
      issuesNewSecrets: false,
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, description = code } = error;
    throw new StartError(`The client ${FORWARD_AUTH_CLIENT} cannot be registered: ${description}`, {
      cause: error,
    });
  }
}
