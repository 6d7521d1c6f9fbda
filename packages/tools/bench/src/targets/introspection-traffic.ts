import { basicAuthorization, rawRequest } from '../load/raw-request.js';
import type { RawResponse } from '../load/response-reader.js';
import type { IssuedToken } from '../test-environment/issued-token.js';
import type { Exchange } from '../workloads/workload.js';

/** The endpoint and the credentials of the caller. */
export interface IntrospectionCaller {
  readonly path: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The media type in `Accept`; JSON unless given. */
  readonly accept?: string;
}

/** An introspection request with client_secret_basic. */
export function introspectionRequest(caller: IntrospectionCaller, token: string): string {
  return rawRequest({
    method: 'POST',
    path: caller.path,
    headers: {
      ...basicAuthorization(caller.clientId, caller.clientSecret),
      ...(caller.accept !== undefined && { accept: caller.accept }),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `token=${token}`,
  });
}

/** Introspects a live token and checks the whole response. */
export function introspectionExchange(
  caller: IntrospectionCaller,
  { token, subject }: IssuedToken,
): Exchange {
  return {
    request: introspectionRequest(caller, token),
    problem: (response) => {
      if (response.status !== 200) return 'the status is not 200';
      const members =
        caller.accept === undefined ? jsonMembers(response) : signedMembers(response, caller.accept);
      if (members === undefined) return 'wrong media type';
      if (members['active'] !== true) return 'the response about a live token is inactive';
      return members['sub'] === subject ? undefined : 'the response is about another token';
    },
  };
}

/** Introspects an invalid token: a server that always responds with active is not measured. */
export function refusalExchange(caller: IntrospectionCaller): Exchange {
  return {
    request: introspectionRequest(caller, 'x'.repeat(43)),
    problem: ({ status, body }) =>
      status === 200 && !body.includes('"active":true')
        ? undefined
        : 'the response about an unknown token is active',
  };
}

type Members = Readonly<Record<string, unknown>>;

function jsonMembers(response: RawResponse): Members | undefined {
  return response.headers.get('content-type')?.startsWith('application/json')
    ? JSON.parse(response.body)
    : undefined;
}

/** The claim `token_introspection` of a signed response (RFC 9701 section 5). */
function signedMembers(response: RawResponse, mediaType: string): Members | undefined {
  if (!response.headers.get('content-type')?.startsWith(mediaType)) return undefined;
  const claims: Members = JSON.parse(Buffer.from(response.body.split('.')[1] ?? '', 'base64url').toString());
  const members = claims['token_introspection'];
  return typeof members === 'object' && members !== null ? { ...members } : undefined;
}
