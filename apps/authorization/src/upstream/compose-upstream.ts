import { createEgress, type Egress } from '@vestibule/egress';
import { createAdapterFactory } from '@vestibule/oidc-provider-adapter';
import { type Clock, type Issuer, portOf } from '@vestibule/protocol';
import type { Secret } from '@vestibule/service/settings';
import { openidUpstream, type UpstreamError, upstreamFetch } from '@vestibule/service/upstream';
import type { Interaction } from '../interaction/interaction.js';
import { performedMetadata } from '../provider/performed-metadata.js';
import type { ProviderDeps } from '../provider/provider-deps.js';
import { upstreamCookie } from './upstream-cookie.js';
import { upstreamInteraction } from './upstream-interaction.js';
import type { UpstreamOutcome } from './upstream-outcome.js';
import { upstreamRedirectUri } from './upstream-paths.js';
import { upstreamRecords } from './upstream-records.js';

/** The settings of the login at another provider. */
export interface UpstreamConfig {
  readonly BASE_URL: Issuer;
  readonly UPSTREAM_ISSUER?: URL | undefined;
  readonly UPSTREAM_CLIENT_ID?: string | undefined;
  readonly UPSTREAM_CLIENT_SECRET?: Secret | undefined;
  readonly UPSTREAM_SCOPE: string;
  readonly UPSTREAM_ACR_VALUES: readonly string[];
  readonly LOGOUT_PATH: string;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
}

/** What the login at another provider shares with the rest of the server. */
export interface UpstreamParts
  extends Pick<
    ProviderDeps,
    'clock' | 'issuer' | 'random' | 'digester' | 'encryptor' | 'clients' | 'records' | 'replays' | 'supported'
  > {
  /** Default: a client for outgoing requests of its own, which may reach the other provider. */
  readonly egress?: Pick<Egress, 'fetchDocument'> | undefined;
  readonly onProblem: (error: UpstreamError) => void;
  readonly onLogin: (outcome: UpstreamOutcome) => void;
}

/** Composes login at the provider in the settings; `undefined` without one. */
export function composeUpstream(config: UpstreamConfig, parts: UpstreamParts): Interaction | undefined {
  const { UPSTREAM_ISSUER: issuer, UPSTREAM_CLIENT_ID: clientId, UPSTREAM_CLIENT_SECRET: secret } = config;
  if (issuer === undefined || clientId === undefined || secret === undefined) return undefined;
  const { egress = defaultEgress(config, parts.clock), records, supported, ...shared } = parts;
  const artifacts = createAdapterFactory({ ...shared, records, performed: performedMetadata(supported) });
  return upstreamInteraction({
    ...shared,
    sessions: records.sessions,
    records: upstreamRecords(artifacts, parts.random),
    provider: openidUpstream({
      issuer,
      clientId,
      clientSecret: secret.reveal(),
      scope: config.UPSTREAM_SCOPE,
      redirectUri: upstreamRedirectUri(config.BASE_URL),
      fetch: upstreamFetch(egress),
      clock: parts.clock,
    }),
    acrValues: config.UPSTREAM_ACR_VALUES,
    cookie: upstreamCookie(config.BASE_URL),
    logoutPath: config.LOGOUT_PATH,
  });
}

/**
 * The hosts that requests to the other provider may reach without the rules about addresses: its issuer may be on an
 * internal network, because an operator chose it.
 */
export function upstreamHosts({
  UPSTREAM_ISSUER: issuer,
  EGRESS_ALLOW_HOSTS: allowed,
}: Pick<UpstreamConfig, 'UPSTREAM_ISSUER' | 'EGRESS_ALLOW_HOSTS'>): readonly string[] {
  return issuer === undefined ? allowed : [...allowed, `${issuer.hostname}:${portOf(issuer)}`];
}

function defaultEgress(config: UpstreamConfig, clock: Clock): Pick<Egress, 'fetchDocument'> {
  return createEgress({ allowHosts: upstreamHosts(config), clock });
}
