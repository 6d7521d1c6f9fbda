import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { type Clock, MEDIA_TYPE, parseAllowedHosts, systemClock } from '@vestibule/protocol';
import type { Dispatcher } from 'undici';
import { type BudgetLimits, createBudget } from './budget.js';
import { type Dial, dialTcp, openConnection } from './connection.js';
import { openDeadline } from './deadline.js';
import { asFault, type EgressFault } from './egress-fault.js';
import { type ExchangeRequest, exchange } from './exchange.js';
import { createDnsLookup, createSystemLookup, type NameLookup } from './name-lookup.js';
import type { EgressFailure, EgressFailureReason, EgressOutcome, EgressPostOutcome } from './outcome.js';
import { readAcceptance, readDocument } from './response.js';
import { parseTarget, type Target } from './target.js';
import { resolveTarget, type TargetLookups } from './target-addresses.js';

/** A request for a document. */
export interface FetchDocumentRequest {
  readonly url: string;
  /** The `Accept` header. */
  readonly accept: string;
  /** The media types that are taken, without parameters, in lower case; parameters in the response are ignored. */
  readonly mediaTypes: readonly string[];
  /** Bytes of content at most. */
  readonly maxBytes: number;
  /** Form parameters, sent with POST; without them the request is a GET. */
  readonly form?: Readonly<Record<string, string>>;
  /** Milliseconds for everything, waiting for room included; by default that of the {@link Egress}. */
  readonly deadlineMs?: number;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
}

/** A message to be delivered. */
export interface PostRequest {
  readonly url: string;
  readonly contentType: string;
  readonly body: string;
  /** Milliseconds for everything, waiting for room included; by default that of the {@link Egress}. */
  readonly deadlineMs?: number;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
}

/** The only door to the outside network. */
export interface Egress {
  /**
   * Fetches a text document. Never rejects, follows no redirect, tries once.
   *
   * @see RFC 9700 section 4.12 on requests that others cause
   */
  fetchDocument(request: FetchDocumentRequest): Promise<EgressOutcome>;
  /** Delivers a message; the content of the response is not read. Never rejects, follows no redirect, tries once. */
  post(request: PostRequest): Promise<EgressPostOutcome>;
}

/** Whether the place was excepted from the address rules. Blocked URLs that could not be read count as `public`. */
export type EgressHostClass = 'public' | 'listed';

/** What an {@link Egress} is made of. Everything has a safe default. */
export interface EgressOptions extends Partial<BudgetLimits> {
  /** Hosts excepted from the address rules and allowed over http, as `host` or `host:port`. Default none. */
  readonly allowHosts?: readonly string[];
  /** Certificates (PEM) trusted besides the usual roots. Default none. */
  readonly trustedCertificates?: readonly string[];
  /** Replaces DNS and the system's lookup. The addresses are checked all the same. */
  readonly lookup?: NameLookup;
  /** Milliseconds that a request may take. Default 2500. */
  readonly deadlineMs?: number;
  /** What `Retry-After` dates are compared with. Default the machine's clock. */
  readonly clock?: Clock;
  /** Told about every request once it is over. Must not throw. */
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

interface Occasion {
  readonly url: string;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

type Perform = <T extends { readonly outcome: 'ok' }>(
  occasion: Occasion,
  request: ExchangeRequest,
  read: (response: Dispatcher.ResponseData) => Promise<T>,
) => Promise<T | EgressFailure>;

function trustStore(certificates: readonly string[] | undefined): SecureContext {
  if (certificates === undefined) return createSecureContext();
  return createSecureContext({ ca: [...rootCertificates, ...certificates] });
}

function lookupsOf(lookup: NameLookup | undefined): TargetLookups {
  if (lookup !== undefined) return { publicName: lookup, listedName: lookup };
  return { publicName: createDnsLookup(), listedName: createSystemLookup() };
}

function failureOf({ reason, details }: EgressFault): EgressFailure {
  const { status, retryAfterSeconds, detail } = details;
  return { outcome: 'failed', reason, status, retryAfterSeconds, detail };
}

/** A request that was cut off fails in many ways at once; what counts is why it was cut off. */
function finalFault(error: unknown, signal: AbortSignal): EgressFault {
  const fault = asFault(error, 'protocol');
  return signal.aborted && fault.reason !== 'overloaded' ? asFault(signal.reason, 'aborted') : fault;
}

/** Makes the way out: from an address that passed the rules to an open connection. */
function createConnect(options: EgressOptions, dial: Dial) {
  const secureContext = trustStore(options.trustedCertificates);
  const lookups = lookupsOf(options.lookup);
  return async (target: Target, signal: AbortSignal) => {
    const addresses = await resolveTarget(target, lookups, signal);
    return openConnection({ target, addresses, secureContext, dial, signal });
  };
}

function createPerform(options: EgressOptions, dial: Dial): Perform {
  const allowed = parseAllowedHosts(options.allowHosts ?? []);
  const connect = createConnect(options, dial);
  const budget = createBudget({ ...DEFAULT_LIMITS, ...options });

  return async (occasion, request, read) => {
    const startedMs = performance.now();
    const { signal, close } = openDeadline(
      occasion.deadlineMs ?? options.deadlineMs ?? DEFAULT_DEADLINE_MS,
      occasion.signal,
    );
    let hostClass: EgressHostClass = 'public';
    const report = (outcome: 'ok' | EgressFailureReason) =>
      options.onOutcome?.(hostClass, outcome, performance.now() - startedMs);
    try {
      const target = parseTarget(occasion.url, allowed);
      if (target.listed) hostClass = 'listed';
      const leave = await budget.enter(`${target.host}:${target.port}`, signal);
      let hasAnswered = false;
      const result = await connect(target, signal)
        .then((connection) =>
          exchange({ target, connection, signal }, request, (response) => {
            hasAnswered = true;
            return read(response);
          }),
        )
        .finally(() => leave(hasAnswered));
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

function documentRequest(accept: string, form: FetchDocumentRequest['form']): ExchangeRequest {
  if (form === undefined) return { method: 'GET', headers: { accept } };
  const headers = { accept, 'content-type': MEDIA_TYPE.form };
  return { method: 'POST', headers, body: new URLSearchParams(form).toString() };
}

/**
 * Opens the door on a given way of making connections. For tests of this package; everyone else takes
 * {@link createEgress}.
 */
export function createEgressOver(dial: Dial, options: EgressOptions): Egress {
  const perform = createPerform(options, dial);
  const clock = options.clock ?? systemClock;
  return {
    fetchDocument: ({ accept, mediaTypes, maxBytes, form, ...occasion }) =>
      perform(occasion, documentRequest(accept, form), (response) =>
        readDocument(response, { mediaTypes, maxBytes }, clock),
      ),
    post: ({ contentType, body, ...occasion }) =>
      perform(occasion, { method: 'POST', headers: { 'content-type': contentType }, body }, (response) =>
        readAcceptance(response, clock),
      ),
  };
}

/**
 * Opens the door to the outside network, with its own budget of connections: one per process.
 *
 * Every request goes to https on a public address (see {@link EgressOptions.allowHosts} for the exception), over a
 * fresh connection that was checked before anything is written, and ends within its deadline. Proxy settings of the
 * environment are not used and no cookie is kept.
 *
 * @throws TypeError when an allowed host is malformed; also when a certificate is.
 */
export function createEgress(options: EgressOptions = {}): Egress {
  return createEgressOver(dialTcp, options);
}
