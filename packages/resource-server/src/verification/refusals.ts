import type { TokenScheme } from '../request/presented-token.js';
import type { RefusalReason, RefusedRequest } from './verification.js';

/** What the challenges of an API name. */
export interface ChallengeSettings {
  /** URL of the protected resource metadata (RFC 9728 section 5.1). */
  readonly metadataUrl: string;
  /** Accepted algorithms of DPoP proofs. */
  readonly dpopAlgorithms: readonly string[];
  /** Whether only the scheme DPoP is accepted. */
  readonly isDpopRequired: boolean;
}

/** A refused request. */
export interface Refusal {
  readonly reason: RefusalReason;
  /** Scheme of the request, which gets the error. */
  readonly scheme?: TokenScheme;
  /** Scope that the request needs. */
  readonly scope?: string | undefined;
  /** Nonce for the next proof (RFC 9449 section 9). */
  readonly nonce?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

interface ErrorResponse {
  readonly status: RefusedRequest['status'];
  /** Error code in the challenge and in the body; none where the request has no token (RFC 6750 section 3.1). */
  readonly error?: string;
  readonly description?: string;
}

const INVALID_TOKEN = { status: 401, error: 'invalid_token' } as const;

/** What the client learns. The descriptions are constants: a challenge has no way to escape other text. */
const RESPONSES: Readonly<Record<RefusalReason, ErrorResponse>> = {
  no_token: { status: 401 },
  ambiguous: { status: 400, error: 'invalid_request', description: 'Send one Authorization header' },
  malformed: { ...INVALID_TOKEN, description: 'The access token is malformed' },
  inactive: { ...INVALID_TOKEN, description: 'The access token is not active' },
  expired: { ...INVALID_TOKEN, description: 'The access token is not active' },
  not_yet_valid: { ...INVALID_TOKEN, description: 'The access token is not active' },
  audience: { ...INVALID_TOKEN, description: 'The access token is not for this API' },
  binding: { ...INVALID_TOKEN, description: 'The request does not prove the key of the access token' },
  proof: { status: 401, error: 'invalid_dpop_proof', description: 'The DPoP proof is not acceptable' },
  replayed_proof: { status: 401, error: 'invalid_dpop_proof', description: 'The DPoP proof was used before' },
  nonce: { status: 401, error: 'use_dpop_nonce', description: 'The DPoP proof needs the nonce of this API' },
  scope: { status: 403, error: 'insufficient_scope', description: 'The access token lacks a scope value' },
  unavailable: { status: 503, error: 'temporarily_unavailable', description: 'Try again later' },
};

/** Composes the responses to refused requests. */
export function refusals(settings: ChallengeSettings): (refusal: Refusal) => RefusedRequest {
  return (refusal) => {
    const { reason, nonce, retryAfterSeconds = 1 } = refusal;
    const response = RESPONSES[reason];
    const { status, error, description } = response;
    const body = error === undefined ? '' : JSON.stringify({ error, error_description: description });
    return {
      outcome: 'refused',
      reason,
      status,
      headers: {
        ...(status === 503
          ? { 'Retry-After': String(retryAfterSeconds) }
          : { 'WWW-Authenticate': challenges(settings, refusal, response) }),
        ...(nonce !== undefined && { 'DPoP-Nonce': nonce }),
        'Cache-Control': 'no-store',
        ...(body !== '' && { 'Content-Type': 'application/json' }),
      },
      body,
    };
  };
}

/** A challenge for each accepted scheme (RFC 6750 section 3, RFC 9449 section 7.1); that of the request has the error. */
function challenges(settings: ChallengeSettings, refusal: Refusal, response: ErrorResponse): string {
  const { scheme: used = settings.isDpopRequired ? 'DPoP' : 'Bearer', scope } = refusal;
  const shared = [
    ...(isScopeText(scope) ? [parameter('scope', scope)] : []),
    parameter('resource_metadata', settings.metadataUrl),
  ];
  const schemes: readonly TokenScheme[] = settings.isDpopRequired ? ['DPoP'] : ['Bearer', 'DPoP'];
  const errored = schemes.includes(used) ? used : 'DPoP';
  return schemes
    .map((scheme) => {
      const error = scheme === errored ? errorParameters(response) : [];
      const algorithms = scheme === 'DPoP' ? [parameter('algs', settings.dpopAlgorithms.join(' '))] : [];
      return `${scheme} ${[...error, ...algorithms, ...shared].join(', ')}`;
    })
    .join(', ');
}

function errorParameters({ error, description }: ErrorResponse): readonly string[] {
  if (error === undefined || description === undefined) return [];
  return [parameter('error', error), parameter('error_description', description)];
}

function parameter(name: string, value: string): string {
  return `${name}="${value}"`;
}

/** The characters of a scope (RFC 6749 section 3.3), none of which needs an escape. */
function isScopeText(scope: string | undefined): scope is string {
  return scope !== undefined && /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/.test(scope);
}
