import {
  authenticateForwarded,
  type ClientAuthDeps,
  type ForwardedCredential,
  InvalidClientError,
  type RefusalReason,
} from '@vestibule/client-auth';
import type { AssertionAudience, ClientAssertionDeps } from '@vestibule/client-auth/assertions';
import { type ClientCertificate, parseClientCertificate } from '@vestibule/client-auth/certificates';
import type { ClientUses } from '@vestibule/clients';
import type { ClientBlocks } from '@vestibule/clients/blocks';
import { DomainError, type Issuer, parseClientId } from '@vestibule/protocol';
import {
  type ClientAuthMethod,
  ENDPOINT_PATH,
  JWT_BEARER_ASSERTION_TYPE,
} from '@vestibule/protocol/constants';
import type { FailedAuthenticationThrottle } from '@vestibule/service';
import { Type } from 'typebox';

/** The JSON body of POST /clients/{client_id}/verify. */
export const VerificationRequest = Type.Object(
  {
    client_secret: Type.Optional(
      Type.String({ description: 'The secret, by `client_secret_basic` (decoded) or `client_secret_post`.' }),
    ),
    client_assertion: Type.Optional(
      Type.String({ description: 'The assertion, by `client_secret_jwt` or `private_key_jwt`.' }),
    ),
    client_assertion_type: Type.Optional(
      Type.Enum([JWT_BEARER_ASSERTION_TYPE], { description: 'May be sent along with `client_assertion`.' }),
    ),
    endpoint: Type.Optional(
      Type.String({
        maxLength: 2048,
        description:
          'The URL of your endpoint that received `client_assertion`, at the origin of the issuer. The assertion may have it as its audience instead of the issuer.',
      }),
    ),
    certificate: Type.Optional(
      Type.String({
        description:
          'The certificate of the client in PEM, by `tls_client_auth` or `self_signed_tls_client_auth`. Your TLS endpoint has checked that the client has its key.',
      }),
    ),
    certificate_verified: Type.Optional(
      Type.Boolean({
        description:
          'Whether your TLS endpoint has also verified that `certificate` chains to an authority that you trust for clients, which `tls_client_auth` requires. Default: false.',
      }),
    ),
  },
  { $id: 'CredentialVerification', additionalProperties: false },
);

export type VerificationRequest = Type.Static<typeof VerificationRequest>;

/** The result of a verification. */
export type Verification =
  | { readonly valid: true; readonly method: ClientAuthMethod }
  | { readonly valid: false; readonly error_description?: string };

/** A credential that is not valid, for the log and for metrics. */
export interface RefusedCredential {
  readonly reason: RefusalReason;
  readonly detail: string;
}

/** Dependencies of verifying the credentials of clients. */
export interface VerificationDeps
  extends Pick<
    ClientAuthDeps,
    'clock' | 'digester' | 'clients' | 'secretOverlapSeconds' | 'importedSecrets' | 'remoteKeySets'
  > {
  readonly issuer: Issuer;
  readonly assertions: Omit<ClientAssertionDeps, 'issuer' | 'endpointAudiences'>;
  readonly assertionAudience: AssertionAudience;
  readonly blocks: Pick<ClientBlocks, 'isBlocked'>;
  readonly clientUses: ClientUses;
  /** Delays responses to invalid credentials. Default: no delay. */
  readonly failedAuthentications?: FailedAuthenticationThrottle;
  /** Called for each invalid credential. */
  readonly onRefused?: (refused: RefusedCredential) => void;
}

/**
 * Verifies a credential that a client presented to the team's own server. A valid one counts as a use of the client. For
 * an invalid one the result has a description only if every caller may learn the reason, such as a wrong claim of an
 * assertion.
 *
 * @throws DomainError `invalid_request` unless the request has exactly one well-formed credential
 * @throws ThrottledError while too many imported hashes are being verified
 */
export async function verifyCredential(
  deps: VerificationDeps,
  id: string,
  request: VerificationRequest,
): Promise<Verification> {
  const credential = credentialOf(request, deps.issuer);
  try {
    const clientId = parseClientId(id);
    if (clientId === undefined) throw new InvalidClientError('the client does not exist');
    const [{ client, method }, isBlocked] = await Promise.all([
      authenticateForwarded(authDeps(deps, request), clientId, credential),
      deps.blocks.isBlocked(clientId),
    ]);
    if (isBlocked) throw new InvalidClientError('an operator has blocked the client');
    deps.clientUses.record(client);
    return { valid: true, method };
  } catch (error) {
    if (!(error instanceof InvalidClientError)) throw error;
    const { reason, detail, description } = error.refusal;
    deps.onRefused?.({ reason, detail });
    await deps.failedAuthentications?.release();
    return { valid: false, ...(description !== undefined && { error_description: description }) };
  }
}

function authDeps(
  { issuer, assertions, assertionAudience, ...deps }: VerificationDeps,
  { endpoint }: VerificationRequest,
): ClientAuthDeps {
  const endpoints =
    assertionAudience === 'issuer' || endpoint === undefined ? [] : [issuer + ENDPOINT_PATH.token, endpoint];
  return { ...deps, assertions: { ...assertions, issuer, endpointAudiences: [...new Set(endpoints)] } };
}

function credentialOf(request: VerificationRequest, issuer: Issuer): ForwardedCredential {
  const { client_secret: secret, client_assertion: assertion, certificate } = request;
  if ([secret, assertion, certificate].filter((each) => each !== undefined).length !== 1)
    throw invalid('exactly one of client_secret, client_assertion and certificate is required');
  refuseMisplaced(request);
  requireOwnEndpoint(request, issuer);
  if (secret !== undefined) return { secret };
  if (assertion !== undefined) return { assertion };
  return { certificate: certificateOf(request) };
}

/** Members that belong to one credential must not be sent with another one. */
function refuseMisplaced(request: VerificationRequest): void {
  for (const name of ['client_assertion_type', 'endpoint'] as const)
    if (request[name] !== undefined && request.client_assertion === undefined)
      throw invalid(`${name}: only allowed with client_assertion`);
  if (request.certificate_verified !== undefined && request.certificate === undefined)
    throw invalid('certificate_verified: only allowed with certificate');
}

/**
 * Refuses an endpoint of another server: an assertion that a client made for that server, and that was captured there, must
 * not be valid here.
 */
function requireOwnEndpoint({ endpoint }: VerificationRequest, issuer: Issuer): void {
  if (endpoint === undefined) return;
  const { origin } = new URL(issuer);
  // Compared as text: no parser can read another host into what begins like this.
  if (!endpoint.startsWith(`${origin}/`) || !URL.canParse(endpoint) || endpoint.includes('#'))
    throw invalid(
      `endpoint: must be a URL that begins with ${origin}/, the origin of the issuer, without a fragment`,
    );
}

const ONE_CERTIFICATE = /^\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/;

function certificateOf({
  certificate: pem = '',
  certificate_verified: isChainVerified = false,
}: VerificationRequest): ClientCertificate {
  const certificate = ONE_CERTIFICATE.test(pem)
    ? parseClientCertificate(Buffer.from(pem), { isChainVerified })
    : undefined;
  if (certificate === undefined) throw invalid('certificate: must be one certificate in PEM');
  return certificate;
}

function invalid(description: string): DomainError {
  return new DomainError('invalid_request', description);
}
