import { isJsonObject, JsonError, type JsonObject, parseJson } from '@vestibule/protocol/json';
import { type MonotonicClock, type Scheduler, withinDeadline } from '@vestibule/protocol/runtime';
import { type ResponseStamp, readResponseStamp, readTokenMaxAge } from '../changes/response-stamp.js';
import type { HttpClient, HttpResponse } from '../http/http-client.js';
import { HttpFailure, type HttpFailureReason } from '../http/http-failure.js';
import { type IntrospectedToken, readIntrospection } from '../verification/access-token.js';
import { sharedValues } from '../verification/shared-values.js';
import type { ClientAuthentication } from './client-credentials.js';
import { IntrospectionFailure, type IntrospectionFailureReason } from './introspection-failure.js';
import type { RequestSlots } from './request-slots.js';
import type { SignedResponseVerifier } from './signed-responses.js';

/** An introspection response. */
export interface Introspected {
  readonly token: IntrospectedToken;
  /** When the request was sent, on the monotonic clock. */
  readonly sentAtMs: number;
  /** What the stream of changes must be asked before the response is used again. */
  readonly stamp: ResponseStamp | undefined;
  /** How long the response may be used after its request was sent, as its server limits it. */
  readonly maxAgeSeconds: number | undefined;
  /** Length of the response, in characters. */
  readonly length: number;
}

/**
 * Asks the introspection endpoint about a token, after a wait for a slot.
 * @param sent called when the request is sent
 * @throws IntrospectionFailure
 */
export type Introspect = (token: string, sent: () => void) => Promise<Introspected>;

/** Dependencies of {@link introspectionClient}. */
export interface IntrospectionClientDeps {
  readonly http: HttpClient;
  readonly slots: RequestSlots;
  readonly endpoint: () => Promise<URL>;
  readonly authentication: ClientAuthentication;
  /** Verifies signed responses; `undefined` if responses are not signed. */
  readonly signed: SignedResponseVerifier | undefined;
  /** Whether responses are cached by the stream of changes. */
  readonly wantsTags: boolean;
  readonly monotonic: MonotonicClock;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** Time limit of one attempt. There are two at most, and with the wait for a slot they take no longer than two. */
  readonly timeoutMs: number;
}

const MAX_BYTES = 131_072;
const LIMITS = { maxDepth: 16, maxMembers: 1_000 };

/**
 * Creates a client of the introspection endpoint (RFC 7662 section 2). A request that gets no response or a 5xx is sent
 * once more on a new connection, which may lead to another instance: asking has no effect on the token. Both attempts have
 * one slot, and the new connection takes the place of the one that failed.
 */
export function introspectionClient(deps: IntrospectionClientDeps): Introspect {
  const { http, endpoint, monotonic, timeoutMs } = deps;
  const shared = sharedValues();
  const attempt = async (url: URL, token: string, endMs: number, isOnNewConnection: boolean) => {
    const leftMs = () => Math.max(endMs - monotonic(), 0);
    // Credentials may come from a function of the application, which must not hold the slot for ever.
    const deadline = { scheduler: deps.scheduler, limitMs: leftMs() };
    const { authorization, form } = await withinDeadline(deps.authentication(), deadline, lateAuthentication);
    return http.send({
      method: 'POST',
      url,
      headers: {
        Accept: deps.signed?.mediaType ?? 'application/json',
        'Content-Type': 'application/x-www-form-urlencoded',
        ...(authorization !== undefined && { Authorization: authorization }),
        ...(deps.wantsTags && { Prefer: 'cache-tags' }),
      },
      body: new URLSearchParams({ token, token_type_hint: 'access_token', ...form }).toString(),
      timeoutMs: leftMs(),
      maxBytes: MAX_BYTES,
      isOnNewConnection,
    });
  };
  const respond = async (url: URL, token: string, lastMs: number): Promise<HttpResponse> => {
    try {
      const response = await attempt(url, token, monotonic() + timeoutMs, false);
      if (response.status < 500 || monotonic() >= lastMs) return response;
    } catch (error) {
      if (!isWorthRepeating(error) || monotonic() >= lastMs) throw error;
    }
    return attempt(url, token, Math.min(monotonic() + timeoutMs, lastMs), true);
  };
  const send = async (url: URL, token: string, lastMs: number) => ({
    sentAtMs: monotonic(),
    response: await respond(url, token, lastMs),
  });
  return async (token, sent) => {
    try {
      const url = await endpoint();
      const lastMs = monotonic() + 2 * timeoutMs;
      const { sentAtMs, response } = await deps.slots.run(() => {
        sent();
        return send(url, token, lastMs);
      });
      if (response.status !== 200) throw refusedIntrospection(response);
      const found = readIntrospection(await membersOf(response, deps.signed), shared);
      if (found === undefined) throw malformed('a member of the introspection response has the wrong type');
      return {
        token: found,
        sentAtMs,
        stamp: deps.wantsTags ? readResponseStamp(response.header) : undefined,
        maxAgeSeconds: readTokenMaxAge(response.header('token-cache-control')),
        length: response.text.length,
      };
    } catch (error) {
      throw asFailure(error);
    }
  };
}

async function membersOf(
  { mediaType, text }: HttpResponse,
  signed: SignedResponseVerifier | undefined,
): Promise<JsonObject> {
  if (signed !== undefined) {
    if (mediaType !== signed.mediaType) throw malformed('the introspection response is not signed');
    return signed.verify(text);
  }
  if (mediaType !== 'application/json') throw malformed('the introspection response is not JSON');
  const members = parseJson(text, LIMITS);
  if (!isJsonObject(members)) throw malformed('the introspection response is not a JSON object');
  return members;
}

function isWorthRepeating(error: unknown): boolean {
  return error instanceof HttpFailure && (error.reason === 'timeout' || error.reason === 'connection');
}

function lateAuthentication(): IntrospectionFailure {
  return new IntrospectionFailure('internal', 'no credentials for the introspection endpoint in time');
}

function malformed(message: string): IntrospectionFailure {
  return new IntrospectionFailure('malformed_response', message);
}

type Failure = readonly [reason: IntrospectionFailureReason, message: string];

const STATUS_FAILURES: ReadonlyMap<number, Failure> = new Map([
  [401, ['credentials_refused', 'the introspection endpoint refused the credentials of this API (401)']],
  [403, ['not_permitted', 'the client of this API may not introspect (403)']],
  [429, ['rate_limited', 'the introspection endpoint refused the request as one too many (429)']],
]);

/** Says of a response only its status: its text may repeat what was sent. */
function refusedIntrospection({ status, header }: HttpResponse): IntrospectionFailure {
  const retryAfter = /^\d{1,5}$/.exec(header('retry-after') ?? '')?.[0];
  const other: Failure = ['status', `the introspection endpoint responded with ${status}`];
  const [reason, message] = STATUS_FAILURES.get(status) ?? other;
  return new IntrospectionFailure(reason, message, retryAfter === undefined ? undefined : Number(retryAfter));
}

const HTTP_FAILURES: Readonly<Record<HttpFailureReason, Failure>> = {
  timeout: ['timeout', 'the introspection endpoint did not respond in time'],
  connection: ['connection', 'the introspection endpoint cannot be reached'],
  closed: ['connection', 'the resource server was closed'],
  too_large: ['malformed_response', 'the introspection response is too large'],
  encoding: ['malformed_response', 'the introspection response has an unexpected encoding'],
};

function asFailure(error: unknown): IntrospectionFailure {
  if (error instanceof IntrospectionFailure) return error;
  if (error instanceof HttpFailure) return new IntrospectionFailure(...HTTP_FAILURES[error.reason]);
  if (error instanceof JsonError) return malformed('the introspection response is not acceptable JSON');
  return new IntrospectionFailure('internal', 'authentication at the introspection endpoint failed');
}
