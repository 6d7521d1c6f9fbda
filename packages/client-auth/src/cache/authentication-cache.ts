import { hash } from 'node:crypto';
import type { Client } from '@vestibule/clients';
import { isClientExpired } from '@vestibule/clients/management';
import { nowSeconds } from '@vestibule/protocol';
import { boundedMap } from '@vestibule/protocol/runtime';
import { type AuthenticatedClient, authenticateAndGrant, type ClientGrant } from '../authenticate-client.js';
import { schemeCredentials } from '../bearer/authorization-scheme.js';
import type { ClientAuthDeps } from '../client-auth-deps.js';
import type { CredentialRequest } from '../credential-request.js';
import { parseBasicCredentials } from '../secrets/basic-credentials.js';
import type { ClientValidity, ClientWatch } from './client-watch.js';

/** Options of an authentication cache. */
export interface AuthenticationCacheOptions<Caller> {
  readonly auth: ClientAuthDeps;
  readonly watch: ClientWatch;
  /** Authorizes an authenticated client. If it throws, nothing is cached. */
  readonly grant: ClientGrant<Caller>;
}

/** Identifies callers, quickly if they have authenticated before. */
export interface AuthenticationCache<Caller> {
  /** Returns the caller if the same secret authenticated it before and the client has not changed since. */
  known(request: CredentialRequest): Caller | undefined;
  /**
   * Authenticates and authorizes the caller. @throws DomainError as `authenticateClient` does, and what `grant` throws.
   */
  identify(request: CredentialRequest): Promise<Caller>;
  readonly size: number;
}

interface Entry<Caller> {
  readonly caller: Caller;
  readonly client: Client;
  readonly validity: ClientValidity;
}

const MAX_CALLERS = 2_000;

/**
 * Caches callers that authenticate with a secret, under a SHA-256 digest of what they sent: neither the secret nor the
 * header is kept. Only successes are cached, so a guess costs a lookup and a digest. Single-use credentials and
 * replaced secrets are never cached.
 */
export function authenticationCache<Caller>(
  options: AuthenticationCacheOptions<Caller>,
): AuthenticationCache<Caller> {
  const { auth, watch, grant } = options;
  const entries = boundedMap<string, Entry<Caller>>({ maxEntries: MAX_CALLERS });
  return {
    known: (request) => {
      const key = secretKey(request);
      const entry = key === undefined ? undefined : entries.get(key);
      return entry !== undefined && isGood(auth, entry, request) ? entry.caller : undefined;
    },
    identify: async (request) => {
      const watching = watch.start();
      const authenticated = await authenticateAndGrant(auth, request, grant);
      const caller = authenticated.granted;
      const key = secretKey(request);
      if (key !== undefined && isByCurrentSecret(auth, request, authenticated))
        entries.set(key, {
          caller,
          client: authenticated.client,
          validity: watching(authenticated.client.id),
        });
      return caller;
    },
    get size() {
      return entries.size;
    },
  };
}

/** Checks what must be checked each time: the expiry, and that the parameters name the same client. */
function isGood<Caller>(
  { clock }: ClientAuthDeps,
  { client, validity }: Entry<Caller>,
  { form }: CredentialRequest,
): boolean {
  const now = nowSeconds(clock);
  return (
    (form.client_id === undefined || form.client_id === client.id) &&
    (client.secret?.expiresAt === undefined || now < client.secret.expiresAt) &&
    !isClientExpired(client, now) &&
    validity.isCurrent()
  );
}

/** Returns the cache key of a request with exactly one secret; `undefined` for any other request. */
function secretKey({ authorization, form }: CredentialRequest): string | undefined {
  if (form.client_assertion !== undefined || form.client_assertion_type !== undefined) return undefined;
  if (authorization !== undefined)
    return form.client_secret === undefined ? hash('sha256', authorization, 'base64') : undefined;
  if (form.client_secret === undefined || form.client_id === undefined) return undefined;
  // No header begins with NUL, so the two forms cannot collide.
  return hash('sha256', `\0${form.client_id.length}:${form.client_id}${form.client_secret}`, 'base64');
}

/** Whether the secret is the client's current one. A previous one has an expiry of its own. */
function isByCurrentSecret(
  { digester }: ClientAuthDeps,
  { authorization, form }: CredentialRequest,
  { client, method }: AuthenticatedClient,
): boolean {
  const stored = client.secret?.digest;
  const secret =
    method === 'client_secret_post' ? form.client_secret : basicSecret(method, authorization ?? '');
  return (
    secret !== undefined && stored !== undefined && digester.matchesAvailable('client-secret', secret, stored)
  );
}

function basicSecret(method: AuthenticatedClient['method'], authorization: string): string | undefined {
  if (method !== 'client_secret_basic') return undefined;
  return parseBasicCredentials(schemeCredentials(authorization, 'Basic') ?? '')?.password;
}
