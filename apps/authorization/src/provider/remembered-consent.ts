import type { Client } from '@vestibule/clients';
import { sha256 } from '@vestibule/crypto';
import { policySource } from '@vestibule/http/pages';
import { LOOPBACK_HOSTS } from '@vestibule/metadata/uris';
import { parseClientId } from '@vestibule/protocol';
import { isJsonObject } from '@vestibule/protocol/json';
import type { Provider, ProviderContext, ProviderGrant, ShownClient } from 'oidc-provider';
import type { ProviderDeps } from './provider-deps.js';

/** The member of a grant, and of the details of a prompt, with what a consent is given to. */
const SHOWN = 'shown';

/** Lets the grants of a provider keep what their consent was given to. */
export function keepShownClients({ Grant }: Provider): void {
  const members = [...Grant.IN_PAYLOAD, SHOWN];
  Object.defineProperty(Grant, 'IN_PAYLOAD', { get: () => members });
}

/** The details of a prompt, which the library stores. */
type ConsentDetails = Readonly<Record<string, unknown>>;

/** The details of a prompt for consent, when it begins: what a consent will be given to. */
export async function consentDetails(
  clients: ProviderDeps['clients'],
  clientId: string | undefined,
): Promise<ConsentDetails> {
  const id = parseClientId(clientId);
  const client = id && (await clients.find(id));
  return client === undefined ? {} : { [SHOWN]: shownClient(client) };
}

/**
 * Creates a grant, which is not saved yet, for a client as it was when the prompt for consent began. What changed since
 * then was perhaps not shown, so the end-user is asked again the next time.
 */
export function newGrant(
  { Grant }: Provider,
  owner: { readonly accountId: string; readonly clientId: string },
  { [SHOWN]: shown }: ConsentDetails,
): ProviderGrant {
  const grant = new Grant(owner);
  if (isShownClient(shown)) grant[SHOWN] = shown;
  return grant;
}

function isShownClient(value: unknown): value is ShownClient {
  return isJsonObject(value) && typeof value['names'] === 'string' && Array.isArray(value['sites']);
}

/** Returns what an end-user consents to beside scope values: the names of a client, and where it may send browsers. */
function shownClient({ metadata }: Pick<Client, 'metadata'>): ShownClient {
  const names = Object.entries(metadata).filter(([member]) => /^client_name(?:#|$)/.test(member));
  const text = JSON.stringify(names.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return {
    names: Buffer.from(sha256(text)).toString('base64url'),
    sites: [...new Set((metadata.redirect_uris ?? []).map(siteOf))],
  };
}

/** The site that the consent page names. Loopback addresses match with any port (RFC 8252 section 7.3). */
function siteOf(redirectUri: string): string {
  const site = policySource(redirectUri) ?? redirectUri;
  if (!URL.canParse(redirectUri)) return site;
  const { protocol, hostname } = new URL(redirectUri);
  return LOOPBACK_HOSTS.has(hostname) ? `${protocol}//${hostname}` : site;
}

/**
 * The library's hook for the grant of a request, except that a remembered consent does not cover a client with another
 * name than at the consent, nor a redirect URI at a site that the client had not registered then. The end-user is asked
 * for everything again, and gets a new grant. However the client changed, what was issued stays.
 */
export function rememberedGrant({ clients }: Pick<ProviderDeps, 'clients'>) {
  return async ({ oidc }: ProviderContext): Promise<ProviderGrant | undefined> => {
    const { provider, client, session, params, result } = oidc;
    const given = result?.consent?.grantId;
    if (given !== undefined) return provider.Grant.find(given);
    const clientId = parseClientId(client?.clientId);
    const id = clientId && session?.grantIdFor(clientId);
    if (clientId === undefined || id === undefined) return undefined;
    const [grant, present] = await Promise.all([provider.Grant.find(id), clients.find(clientId)]);
    return present !== undefined && covers(grant?.[SHOWN], shownClient(present), params?.['redirect_uri'])
      ? grant
      : undefined;
  };
}

function covers(then: ShownClient | undefined, { names }: ShownClient, redirectUri: unknown): boolean {
  return (
    then !== undefined &&
    then.names === names &&
    typeof redirectUri === 'string' &&
    then.sites.includes(siteOf(redirectUri))
  );
}
