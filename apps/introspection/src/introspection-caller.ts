import type { IncomingMessage } from 'node:http';
import {
  authenticateAndGrant,
  authorizeByBearer,
  type BearerAccessReader,
  type BearerRequest,
  type CredentialRequest,
  carriesCredential,
  grantIntrospection,
  type IntrospectionCaller,
  InvalidClientError,
  type ProvenOperation,
  schemeCredentials,
} from '@vestibule/client-auth';
import { authenticationCache, cachedClients } from '@vestibule/client-auth/cache';
import { type ClientCertificate, parseClientCertificate } from '@vestibule/client-auth/certificates';
import type { Client } from '@vestibule/clients';
import { parseBearer } from '@vestibule/http';
import { readLiveToken, type TokenStateDeps } from '@vestibule/tokens';
import type { IntrospectionServiceDeps } from './deps.js';

/** Authentication of callers (introspection/API.md#callers). */
export interface CallerAuthentication {
  /**
   * Authenticates a caller by client authentication or by an access token, checks that it may introspect, and records
   * the use of its client. Returns a promise unless the caller is cached. Rejects with a DomainError `invalid_request`,
   * `invalid_client` or `access_denied`.
   * @param message the HTTP request, for its client certificate
   */
  identify(
    request: CredentialRequest,
    message: IncomingMessage,
  ): IntrospectionCaller | Promise<IntrospectionCaller>;
}

/**
 * Creates the authentication of callers. With a `watch` on clients, clients and successful authentications are cached
 * until the client changes.
 * @param operation the operation that a DPoP proof of the caller must name
 */
export function callerAuthentication(
  given: IntrospectionServiceDeps,
  operation: ProvenOperation,
): CallerAuthentication {
  const { watch } = given;
  const clientCache = watch && { clientReader: cachedClients(given.clients, watch) };
  const proofs = given.assertions && { proofs: given.assertions.replays };
  const deps = { ...given, ...clientCache, ...proofs, bearerAccess: bearerAccessReader(given), operation };
  const grant = (client: Client) => grantIntrospection(client, given.issuer);
  const cache = watch && authenticationCache({ auth: deps, watch, grant });
  const noteUse = (caller: IntrospectionCaller): IntrospectionCaller => {
    given.clientUses?.record({ id: caller.clientId });
    return caller;
  };
  const authenticate = async (
    credentials: CredentialRequest,
    message: IncomingMessage,
  ): Promise<IntrospectionCaller> => {
    const request = withCertificate(given, credentials, message);
    const presented = presentedToken(request.authorization);
    if (presented !== undefined) {
      const { dpop } = message.headers;
      const dpopProof = typeof dpop === 'string' ? dpop : undefined;
      const boundCertificate = () => connectionCertificate(given, message);
      return authorizeByBearer(deps, { ...request, ...presented, dpopProof, boundCertificate });
    }
    if (cache !== undefined) return cache.identify(request);
    return (await authenticateAndGrant(deps, request, grant)).granted;
  };
  return {
    identify: (request, message) => {
      const caller = cache?.known(request);
      return caller === undefined ? authenticate(request, message).then(noteUse) : noteUse(caller);
    },
  };
}

/**
 * Adds the client certificate of the connection to a request without another credential.
 * @throws InvalidClientError when the certificate, or the proxy that sent it, cannot be trusted
 */
function withCertificate(
  deps: IntrospectionServiceDeps,
  request: CredentialRequest,
  message: IncomingMessage,
): CredentialRequest {
  if (carriesCredential(request)) return request;
  const certificate = connectionCertificate(deps, message);
  return certificate === undefined ? request : { ...request, certificate };
}

/**
 * Reads the client certificate of a connection; `undefined` without one.
 * @throws InvalidClientError when the certificate, or the proxy that sent it, cannot be trusted
 */
function connectionCertificate(
  { clientCertificate }: IntrospectionServiceDeps,
  message: IncomingMessage,
): ClientCertificate | undefined {
  const reading = clientCertificate?.(message);
  if (reading === undefined || reading.kind === 'none') return undefined;
  if (reading.kind === 'refused') throw new InvalidClientError(reading.reason);
  const certificate = parseClientCertificate(reading.certificate.der, reading.certificate);
  if (certificate === undefined) throw new InvalidClientError('the client certificate cannot be read');
  return certificate;
}

/** Reads scheme and access token from an `Authorization` header; `undefined` for other schemes and without a header. */
function presentedToken(
  authorization: string | undefined,
): Pick<BearerRequest, 'scheme' | 'token'> | undefined {
  const bearer = parseBearer(authorization);
  if (bearer.kind === 'bearer') return { scheme: 'Bearer', token: bearer.token };
  if (bearer.kind === 'malformed') return { scheme: 'Bearer', token: undefined };
  const token = authorization === undefined ? undefined : schemeCredentials(authorization, 'DPoP');
  return token === undefined ? undefined : { scheme: 'DPoP', token: token === '' ? undefined : token };
}

/** Reads access tokens that callers authenticate with, by the same rules as introspected tokens. */
export function bearerAccessReader(deps: TokenStateDeps): BearerAccessReader {
  return {
    read: async (text) => {
      const token = await readLiveToken(deps, text);
      if (token === undefined) return undefined;
      const { clientId, scope, audience, confirmation } = token;
      return { clientId, scope, audience, ...(confirmation && { confirmation }) };
    },
  };
}

/** Counts and delays a failed client authentication. Rejects with the error. */
export async function rethrowNoted(deps: IntrospectionServiceDeps, error: unknown): Promise<never> {
  if (error instanceof InvalidClientError) {
    deps.countRefusal?.(error.refusal.reason);
    await deps.failedAuthentications?.release();
  }
  throw error;
}
