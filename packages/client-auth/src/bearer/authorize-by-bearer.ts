import type { Client } from '@vestibule/clients';
import { sha256 } from '@vestibule/crypto';
import { type ClientId, DomainError, type Issuer } from '@vestibule/protocol';
import { introspectionEndpoint } from '@vestibule/protocol/constants';
import { parseScope, permitsIntrospection } from '@vestibule/scopes';
import type { ReplayStore } from '../assertions/replay-store.js';
import { whyNotActive } from '../authenticate-client.js';
import { acceptOrRead } from '../cache/client-reading.js';
import type { ClientCertificate } from '../certificates/client-certificate.js';
import type { ClientAuthDeps } from '../client-auth-deps.js';
import {
  type CredentialRequest,
  refuseContradiction,
  refuseSeveralCredentials,
} from '../credential-request.js';
import { callerOf, type IntrospectionCaller } from '../introspection-caller.js';
import { InvalidClientError } from '../invalid-client-error.js';
import type { BearerAccess, BearerAccessReader } from './bearer-access.js';
import { whyProofRefused } from './dpop-proof.js';

/** Dependencies of authorizing a caller by its access token. */
export interface BearerAuthorizationDeps extends Pick<ClientAuthDeps, 'clock' | 'clients' | 'clientReader'> {
  readonly issuer: Issuer;
  readonly bearerAccess: BearerAccessReader;
  /** Store of used DPoP proofs. Without it, tokens bound to a DPoP key are refused. */
  readonly proofs?: ReplayStore;
  /** The operation that a DPoP proof must name (RFC 9449 section 4.2). */
  readonly operation: ProvenOperation;
}

/** Method and URL of an operation. */
export interface ProvenOperation {
  readonly method: 'GET' | 'POST';
  readonly address: string;
}

/** A request whose `Authorization` header uses the scheme Bearer or DPoP. */
export interface BearerRequest extends CredentialRequest {
  readonly scheme: 'Bearer' | 'DPoP';
  /** The token of the header; `undefined` if it is malformed (RFC 6750 section 2.1). */
  readonly token: string | undefined;
  /** The `DPoP` header (RFC 9449 section 4.1). */
  readonly dpopProof?: string | undefined;
  /** Reads the certificate of the connection, for a certificate-bound token. */
  readonly boundCertificate?: () => Pick<ClientCertificate, 'der'> | undefined;
}

/**
 * Authorizes a caller of the introspection service by its access token (introspection/API.md#callers): the token is
 * live and meant for this server, its client is active, the request proves the key (RFC 9449) or certificate (RFC 8705
 * section 3) that the token is bound to, and its scope contains the URL of the endpoint.
 *
 * @throws DomainError `invalid_request` for more than one credential or a `client_id` that is not the token's;
 *   `insufficient_scope` when only the scope is missing; `invalid_client` for everything else.
 */
export async function authorizeByBearer(
  deps: BearerAuthorizationDeps,
  request: BearerRequest,
): Promise<IntrospectionCaller> {
  refuseSeveralCredentials(request);
  const { token, scheme } = request;
  if (token === undefined) throw new InvalidClientError('the Authorization header cannot be read', scheme);
  const access = await deps.bearerAccess.read(token);
  if (access === undefined)
    throw new InvalidClientError('the access token is unknown, expired or revoked', scheme);
  const { clientId } = access;
  const foreign = whyNotForUs(access, deps.issuer);
  if (foreign !== undefined) throw new InvalidClientError(foreign, scheme);
  const client = await activeClient(deps, clientId, scheme);
  const unproven = await whyUnproven(deps, access, { ...request, token });
  if (unproven !== undefined) throw new InvalidClientError(unproven, scheme);
  refuseContradiction(request, clientId);
  const scope = parseScope(access.scope);
  if (scope === undefined || !permitsIntrospection(scope, introspectionEndpoint(deps.issuer)))
    throw lacksScope(introspectionEndpoint(deps.issuer));
  return callerOf(client);
}

function lacksScope(endpoint: string): DomainError {
  return new DomainError(
    'insufficient_scope',
    `The access token lacks scope value ${endpoint}. Request one with grant type client_credentials and that scope`,
    { scope: endpoint },
  );
}

/** Finds the active client of a token. Cached state may accept it; only the store refuses it. */
async function activeClient(
  deps: BearerAuthorizationDeps,
  id: ClientId,
  scheme: BearerRequest['scheme'],
): Promise<Client> {
  const found = await acceptOrRead(deps, id, async (cached) =>
    cached !== undefined && whyNotActive(deps.clock, cached) === undefined ? cached : undefined,
  );
  if (found.accepted !== undefined) return found.accepted;
  const { client } = found;
  if (client === undefined)
    throw new InvalidClientError('the client of the access token does not exist', scheme);
  const reason = whyNotActive(deps.clock, client);
  if (reason !== undefined) throw new InvalidClientError(reason, scheme);
  return client;
}

function whyNotForUs({ audience }: BearerAccess, issuer: Issuer): string | undefined {
  // Otherwise another resource server that received the token could act as its client.
  if (audience.length > 0 && !audience.includes(issuer) && !audience.includes(introspectionEndpoint(issuer)))
    return 'the access token is for another audience';
  return undefined;
}

/** Explains to operators why a request does not prove the token's key or certificate; `undefined` if it does. */
async function whyUnproven(
  deps: BearerAuthorizationDeps,
  { confirmation = {} }: BearerAccess,
  { scheme, token, dpopProof, boundCertificate }: BearerRequest & { readonly token: string },
): Promise<string | undefined> {
  const { jkt: thumbprint, 'x5t#S256': certificate, ...others } = confirmation;
  if (Object.keys(others).length > 0) return 'the access token has an unsupported confirmation method';
  if (certificate !== undefined && certificate !== certificateThumbprint(boundCertificate?.()))
    return 'the access token is bound to another certificate';
  if (thumbprint === undefined)
    return scheme === 'DPoP' ? 'the access token is not bound to a DPoP key' : undefined;
  if (typeof thumbprint !== 'string' || scheme !== 'DPoP' || !dpopProof || deps.proofs === undefined)
    return 'the access token is bound to a DPoP key, but the request has no DPoP proof';
  const proof = { proof: dpopProof, accessToken: token, thumbprint, ...deps.operation };
  return whyProofRefused({ clock: deps.clock, replays: deps.proofs }, proof);
}

/** RFC 8705 section 3.1. */
function certificateThumbprint(certificate: Pick<ClientCertificate, 'der'> | undefined): string | undefined {
  return certificate && Buffer.from(sha256(certificate.der)).toString('base64url');
}
