import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { type Clock, parseAllowedHosts, systemClock } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { Dispatcher } from 'undici';
import { type BudgetLimits, createBudget } from './budget.js';
import type { ResponseValidators } from './cache-headers.js';
import { type Dial, dialTcp, openConnection } from './connection.js';
import { openDeadline } from './deadline.js';
import { asFault, type EgressFault } from './egress-fault.js';
import { type ExchangeRequest, exchange, loadHttpClient } from './exchange.js';
import { createDnsLookup, createSystemLookup, type NameLookup } from './name-lookup.js';
import type {
  EgressCacheableOutcome,
  EgressFailure,
  EgressFailureReason,
  EgressOutcome,
  EgressPostOutcome,
} from './outcome.js';
import { MAX_REFUSAL_BYTES, readAcceptance, readCacheable, readDocument } from './response.js';
import { parseTarget, type Target } from './target.js';
import { resolveTarget, type TargetLookups } from './target-addresses.js';

/** A request for a document. */
export interface FetchDocumentRequest {
  readonly url: string;
  /** Value of the `Accept` header. */
  readonly accept: string;
  /** Accepted media types, without parameters, in lower case; parameters in the response are ignored. */
  readonly mediaTypes: readonly string[];
  /** Largest content, in bytes. */
  readonly maxBytes: number;
  /** Form parameters, sent with POST; without them the request is a GET. */
  readonly form?: Readonly<Record<string, string>>;
  /** Value of the `Authorization` header. Default: none. */
  readonly authorization?: string;
  /** Deadline in milliseconds, including the wait for a slot. Default: the deadline of the {@link Egress}. */
  readonly deadlineMs?: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** A request for a document that the caller stores. */
export interface FetchCacheableRequest {
  readonly url: string;
  /** Value of the `Accept` header. */
  readonly accept: string;
  /** Whether a media type, without parameters and in lower case, is accepted. */
  readonly isAccepted: (mediaType: string) => boolean;
  /** Largest content, in bytes. */
  readonly maxBytes: number;
  /** The validators of the stored document, from `caching` of the response that it came with. */
  readonly validators?: ResponseValidators;
  /** Deadline in milliseconds, including the wait for a slot. Default: the deadline of the {@link Egress}. */
  readonly deadlineMs?: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** A message to deliver. */
export interface PostRequest {
  readonly url: string;
  readonly contentType: string;
  readonly body: string;
  /** Value of the `Accept` header. Default: none. */
  readonly accept?: string;
  /**
   * Reads why a receiver refused the message, from the content of a response with status 400. The result is the
   * `detail` of the failure: a code of a fixed list, never text from the remote server. Default: the content is not read.
   */
  readonly readRefusal?: (text: string) => string | undefined;
  /** Deadline in milliseconds, including the wait for a slot. Default: the deadline of the {@link Egress}. */
  readonly deadlineMs?: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** Sends all outbound HTTP requests. */
export interface Egress {
  /**
   * Fetches a text document. Never rejects, follows no redirects, tries once.
   *
   * @see RFC 9700 section 4.12 on server-side request forgery
   */
  fetchDocument(request: FetchDocumentRequest): Promise<EgressOutcome>;
  /**
   * Fetches a text document with its caching headers; with validators, a current one is not sent again (RFC 9110 section
   * 13.1). Never rejects, follows no redirects, tries once.
   */
  fetchCacheable(request: FetchCacheableRequest): Promise<EgressCacheableOutcome>;
  /**
   * Delivers a message; the content of the response is not read, except for that of a refusal on request. Never rejects,
   * follows no redirects, tries once.
   */
  post(request: PostRequest): Promise<EgressPostOutcome>;
}

/** Whether the host is listed in `allowHosts`. Blocked URLs that could not be parsed count as `public`. */
export type EgressHostClass = 'public' | 'listed';

/** Options of an {@link Egress}. All have a safe default. */
export interface EgressOptions extends Partial<BudgetLimits> {
  /** Hosts that are exempt from the address rules and allowed over http, as `host` or `host:port`. Default: none. */
  readonly allowHosts?: readonly string[];
  /** PEM certificates to trust in addition to the usual roots. Default: none. */
  readonly trustedCertificates?: readonly string[];
  /** Replaces DNS and the system resolver. The addresses are still checked. */
  readonly lookup?: NameLookup;
  /** Deadline of a request in milliseconds. Default: 2,500. */
  readonly deadlineMs?: number;
  /** Clock for dates in `Retry-After`. Default: the system clock. */
  readonly clock?: Clock;
  /** Called after every request. Must not throw. */
  readonly onOutcome?: (hostClass: EgressHostClass, outcome: 'ok' | EgressFailureReason, ms: number) => void;
}

const DEFAULT_DEADLINE_MS = 2500;

const DEFAULT_LIMITS: BudgetLimits = {
  maxConcurrent: 32,
  maxConcurrentPerOrigin: 4,
  maxConcurrentUnanswered: 16,
  maxQueued: 256,
  maxQueuedPerOrigin: 64,
  maxQueuedUnanswered: 128,
};

interface CallOptions {
  readonly url: string;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

type Perform = <T extends { readonly outcome: 'ok' }>(
  call: CallOptions,
  request: ExchangeRequest,
  read: (response: Dispatcher.ResponseData) => Promise<T>,
) => Promise<T | EgressFailure>;

/**
 * The trust store. The usual roots are read by the first https request, because that takes tens of milliseconds; given
 * certificates are read at once, because they can be malformed.
 */
function trustStore(certificates: readonly string[] | undefined): () => SecureContext {
  let store = certificates && createSecureContext({ ca: [...rootCertificates, ...certificates] });
  return () => {
    store ??= createSecureContext();
    return store;
  };
}

function lookupsOf(lookup: NameLookup | undefined): TargetLookups {
  if (lookup !== undefined) return { publicName: lookup, listedName: lookup };
  return { publicName: createDnsLookup(), listedName: createSystemLookup() };
}

function failureOf({ reason, details }: EgressFault): EgressFailure {
  const { status, retryAfterSeconds, detail } = details;
  return { outcome: 'failed', reason, status, retryAfterSeconds, detail };
}

/** An aborted request fails in several ways at once; the reason of the abort counts. */
function finalFault(error: unknown, signal: AbortSignal): EgressFault {
  const fault = asFault(error, 'protocol');
  return signal.aborted && fault.reason !== 'overloaded' ? asFault(signal.reason, 'aborted') : fault;
}

/** Creates the function that opens a connection to a target that passed the rules. */
function createConnect(options: EgressOptions, dial: Dial) {
  const trusted = trustStore(options.trustedCertificates);
  const lookups = lookupsOf(options.lookup);
  return async (target: Target, signal: AbortSignal) => {
    const addresses = await resolveTarget(target, lookups, signal);
    return openConnection({ target, addresses, trusted, dial, signal });
  };
}

function createPerform(options: EgressOptions, dial: Dial): Perform {
  const allowed = parseAllowedHosts(options.allowHosts ?? []);
  const connect = createConnect(options, dial);
  const budget = createBudget({ ...DEFAULT_LIMITS, ...options });

  return async (call, request, read) => {
    const startedMs = performance.now();
    const { signal, close } = openDeadline(
      call.deadlineMs ?? options.deadlineMs ?? DEFAULT_DEADLINE_MS,
      call.signal,
    );
    let hostClass: EgressHostClass = 'public';
    const report = (outcome: 'ok' | EgressFailureReason) =>
      options.onOutcome?.(hostClass, outcome, performance.now() - startedMs);
    try {
      const target = parseTarget(call.url, allowed);
      if (target.listed) hostClass = 'listed';
      const http = await loadHttpClient();
      const release = await budget.acquire(`${target.host}:${target.port}`, signal);
      let hasAnswered = false;
      const result = await connect(target, signal)
        .then((connection) =>
          exchange({ http, target, connection, signal }, request, (response) => {
            hasAnswered = true;
            return read(response);
          }),
        )
        .finally(() => release(hasAnswered));
      report('ok');
      return result;
    } catch (error) {
      const fault = finalFault(error, signal);
      report(fault.reason);
      return failureOf(fault);
    } finally {
      close();
    }
  };
}

function documentRequest({ accept, form, authorization, maxBytes }: DocumentHeaders): ExchangeRequest {
  const headers = { accept, ...(authorization !== undefined && { authorization }) };
  if (form === undefined) return { method: 'GET', headers, maxBytes };
  const body = new URLSearchParams(form).toString();
  return { method: 'POST', headers: { ...headers, 'content-type': MEDIA_TYPE.form }, body, maxBytes };
}

type DocumentHeaders = Pick<FetchDocumentRequest, 'accept' | 'form' | 'authorization' | 'maxBytes'>;

/**
 * Creates an egress with the given way of connecting. Only for the tests of this package; use {@link createEgress}.
 */
export function createEgressOver(dial: Dial, options: EgressOptions): Egress {
  const perform = createPerform(options, dial);
  const clock = options.clock ?? systemClock;
  return {
    fetchDocument: (request) => {
      const { mediaTypes, maxBytes, accept: _accept, form: _form, authorization: _header, ...call } = request;
      const isAccepted = (mediaType: string) => mediaTypes.includes(mediaType);
      return perform(call, documentRequest(request), (response) =>
        readDocument(response, { isAccepted, maxBytes }, clock),
      );
    },
    fetchCacheable: ({ accept, isAccepted, maxBytes, validators = {}, ...call }) => {
      const { etag, lastModified } = validators;
      const conditions = {
        ...(etag !== undefined && { 'if-none-match': etag }),
        ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
      };
      const isConditional = Object.keys(conditions).length > 0;
      return perform(call, { method: 'GET', headers: { accept, ...conditions }, maxBytes }, (response) =>
        readCacheable(response, { isAccepted, maxBytes, isConditional }, clock),
      );
    },
    post: ({ contentType, accept, body, readRefusal, ...call }) => {
      const headers = { 'content-type': contentType, ...(accept !== undefined && { accept }) };
      return perform(call, { method: 'POST', headers, body, maxBytes: MAX_REFUSAL_BYTES }, (response) =>
        readAcceptance(response, { clock, readRefusal }),
      );
    },
  };
}

/**
 * Creates an egress with its own connection limits. Create one per process.
 *
 * Every request goes over https to a public address (except for {@link EgressOptions.allowHosts}), over a new
 * connection that is checked before anything is written, and ends within its deadline. Proxy settings of the
 * environment are not used, and no cookies are stored.
 *
 * @throws TypeError when an allowed host or a certificate is malformed
 */
export function createEgress(options: EgressOptions = {}): Egress {
  return createEgressOver(dialTcp, options);
}
