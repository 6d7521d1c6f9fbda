import { isDeepStrictEqual } from 'node:util';
import { programActor } from '@vestibule/clients';
import { importClient } from '@vestibule/clients/import';
import type { RegistrationDeps } from '@vestibule/clients/registration';
import { DomainError, isAllowedHost, parseAllowedHosts, parseClientId } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { LOGIN_PATH } from './console-paths.js';

/** The client of the console, as it registers itself. */
export interface OwnClient {
  readonly clientId: string;
  /** Origin of the console, as browsers see it. */
  readonly origin: string;
  readonly scope: string;
  /** EGRESS_ALLOW_HOSTS: hosts that notifications may be sent to by http. */
  readonly allowHosts: readonly string[];
}

/** Makes sure that the store contains the client of the console. */
export interface OwnClientRegistration {
  /**
   * Registers the client, or updates it if its metadata differ; once that succeeded, it does nothing for a minute.
   * @throws DomainError if the rules for clients do not admit it, and errors of the store
   */
  ensure(): Promise<void>;
  /** Why the client cannot be registered, for the operator; `undefined` for transient errors. */
  problem(): string | undefined;
}

/** How long the client is taken to be as it was, in milliseconds: an operator may delete or change it. */
const KEPT_MS = 60_000;

/** The actor of the registration in audit records. */
const ACTOR = programActor('console');

/** Creates the registration. Any number of instances may run it at the same time. */
export function ownClientRegistration(deps: RegistrationDeps, client: OwnClient): OwnClientRegistration {
  let problem: string | undefined;
  let running: Promise<void> | undefined;
  let begunAtMs = 0;
  const run = async () => {
    try {
      await register(deps, client);
      problem = undefined;
    } catch (error) {
      running = undefined;
      if (error instanceof DomainError)
        problem = `the client ${client.clientId} of the console cannot be registered: ${error.description}`;
      throw error;
    }
  };
  return {
    ensure: () => {
      const nowMs = deps.clock.nowMs();
      if (running !== undefined && nowMs - begunAtMs < KEPT_MS) return running;
      begunAtMs = nowMs;
      running = run();
      return running;
    },
    problem: () => problem,
  };
}

async function register(deps: RegistrationDeps, own: OwnClient): Promise<void> {
  const metadata = ownMetadata(own);
  if (await isRegistered(deps, own.clientId, metadata)) return;
  try {
    await importClient(deps, {
      client: { kind: 'client', id: own.clientId, metadata, secret: { kind: 'none' }, warnings: [] },
      operator: ACTOR,
      replacesExisting: true,
      issuesNewSecrets: false,
    });
  } catch (error) {
    // Another instance may have been first.
    if (!(await isRegistered(deps, own.clientId, metadata))) throw error;
  }
}

/** Whether the stored client has these members; those that are absent here may have any value. */
async function isRegistered(
  { clients }: RegistrationDeps,
  clientId: string,
  metadata: JsonObject,
): Promise<boolean> {
  const id = parseClientId(clientId);
  const stored = id && (await clients.find(id));
  if (stored === undefined) return false;
  const current: Readonly<Record<string, unknown>> = { ...stored.metadata };
  return Object.entries(metadata).every(([name, value]) => isDeepStrictEqual(current[name], value));
}

/** A public client with the code flow; at a loopback address a native one, to which http is permitted (RFC 8252). */
function ownMetadata({ origin, scope, allowHosts }: OwnClient): JsonObject {
  const backchannel = origin + LOGIN_PATH.backchannelLogout;
  const url = new URL(backchannel);
  const isNotified = url.protocol === 'https:' || isAllowedHost(parseAllowedHosts(allowHosts), url);
  return {
    client_name: 'Vestibule console',
    application_type: url.protocol === 'https:' ? 'web' : 'native',
    redirect_uris: [origin + LOGIN_PATH.callback],
    post_logout_redirect_uris: [origin + LOGIN_PATH.loggedOut],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    scope,
    ...(isNotified && {
      backchannel_logout_uri: backchannel,
      backchannel_logout_session_required: true,
    }),
  };
}
