import type { Egress } from '@vestibule/egress';
import { type Clock, type Issuer, portOf } from '@vestibule/protocol';
import type { Secret } from '@vestibule/service/settings';
import {
  openidUpstream,
  type UpstreamFetch,
  type UpstreamProvider,
  upstreamFetch,
} from '@vestibule/service/upstream';
import { LOGIN_PATH } from './console-paths.js';

/** The settings of the login at the OpenID provider. */
export interface ProviderConfig {
  readonly BASE_URL: Issuer;
  readonly CONSOLE_URL: string;
  readonly CONSOLE_OPENID_PROVIDER?: URL | undefined;
  readonly CONSOLE_OPENID_PROVIDER_ADDRESS?: URL | undefined;
  readonly CONSOLE_CLIENT_ID: string;
  readonly CONSOLE_CLIENT_SECRET?: Secret | undefined;
  readonly CONSOLE_SCOPE: string;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
}

/** The OpenID provider at which operators log in, by discovery. */
export function loginProvider(
  config: ProviderConfig,
  { egress, clock }: { readonly egress: Pick<Egress, 'fetchDocument'>; readonly clock: Clock },
): UpstreamProvider {
  const issuer = issuerOf(config);
  const { CONSOLE_OPENID_PROVIDER_ADDRESS: address } = config;
  const fetch = upstreamFetch(egress);
  return openidUpstream({
    issuer,
    clientId: config.CONSOLE_CLIENT_ID,
    clientSecret: config.CONSOLE_CLIENT_SECRET?.reveal(),
    scope: config.CONSOLE_SCOPE,
    redirectUri: config.CONSOLE_URL + LOGIN_PATH.callback,
    fetch: address === undefined ? fetch : fetchAt(fetch, issuer, address),
    clock,
  });
}

/**
 * The hosts that requests to the provider may reach without the rules about addresses: it may be on an internal network,
 * because an operator chose it.
 */
export function providerHosts(config: ProviderConfig): readonly string[] {
  const url = config.CONSOLE_OPENID_PROVIDER_ADDRESS ?? issuerOf(config);
  return [...config.EGRESS_ALLOW_HOSTS, `${url.hostname}:${portOf(url)}`];
}

/** The issuer of the provider at which operators log in. */
export function issuerOf({ CONSOLE_OPENID_PROVIDER, BASE_URL }: ProviderConfig): URL {
  return CONSOLE_OPENID_PROVIDER ?? new URL(BASE_URL);
}

/** `fetch` that sends requests below the issuer to another address. Browsers keep using the issuer. */
function fetchAt(fetch: UpstreamFetch, issuer: URL, address: URL): UpstreamFetch {
  const below = ({ href }: URL) => (href.endsWith('/') ? href : `${href}/`);
  const [from, to] = [below(issuer), below(address)];
  return (url, request) => fetch(url.startsWith(from) ? to + url.slice(from.length) : url, request);
}
