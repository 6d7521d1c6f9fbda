import { secureRandom } from '@vestibule/crypto';
import { type Store, systemTime } from '@vestibule/database';
import type { Egress } from '@vestibule/egress';
import type { Logger, Metrics } from '@vestibule/http/observability';
import { type Issuer, portOf, type Tracer } from '@vestibule/protocol';
import { type AsymmetricAlgorithm, MEDIA_TYPE } from '@vestibule/protocol/constants';
import { isJsonObject } from '@vestibule/protocol/json';
import { createServiceEgress } from '@vestibule/service';
import { type Dependency, lastingFault } from '@vestibule/service/process';
import { type FollowChanges, issueSecurityEvent } from '@vestibule/tokens/changes';
import { type ChangeDelivery, type ChangeDeliveryOptions, startChangeDelivery } from './deliver-changes.js';
import { type Attempt, type AttemptWatch, watchAttempts } from './webhook-attempts.js';

/** Options of {@link openChangeWebhook}. */
export interface ChangeWebhookOptions {
  readonly config: {
    readonly BASE_URL: Issuer;
    readonly ACCESS_TOKEN_SIGNING_ALG: AsymmetricAlgorithm;
    readonly CHANGES_WEBHOOK_URL?: URL | undefined;
    readonly EGRESS_ALLOW_HOSTS: readonly string[];
  };
  readonly store: Pick<Store, 'database' | 'providerKeys' | 'clock' | 'opened'>;
  readonly follow: FollowChanges;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly tracer: Tracer | undefined;
  /** Default: a client for outgoing requests of its own, which may reach the receiver. */
  readonly egress?: Pick<Egress, 'post'>;
  /** Default: as in production. */
  readonly timing?: Pick<ChangeDeliveryOptions, 'leaseMs' | 'random'>;
}

const DEPENDENCY = 'changes_webhook';

/** Deadline of one attempt, in milliseconds. */
const ATTEMPT_MS = 5_000;

const ACCEPTED = 202;

/**
 * Sends changes to the webhook, from the moment at which the store can be used; `undefined` without one. Returns at
 * once. Of any number of processes one sends.
 * @returns the dependency to close at shutdown
 */
export function openChangeWebhook(options: ChangeWebhookOptions): Dependency | undefined {
  const { config, store, logger, metrics, tracer } = options;
  const { CHANGES_WEBHOOK_URL: url } = config;
  if (url === undefined) return undefined;
  // The receiver may be on an internal network, because an operator chose it.
  const allowed = [...config.EGRESS_ALLOW_HOSTS, `${url.hostname}:${portOf(url)}`];
  const { egress = createServiceEgress({ settings: { EGRESS_ALLOW_HOSTS: allowed }, metrics, tracer }) } =
    options;
  let running: ChangeDelivery | undefined;
  let isClosed = false;
  const attempts = watchAttempts({
    logger,
    dependency: DEPENDENCY,
    registry: metrics.registry,
    clock: store.clock,
    waiting: () => running?.waiting(),
  });
  const start = () => {
    if (!isClosed) running = startWebhook({ ...options, egress }, url, attempts);
  };
  // A store that does not open reports that itself.
  store.opened.then(start, () => undefined);
  return {
    name: DEPENDENCY,
    problem: () => attempts.problem(),
    close: async () => {
      isClosed = true;
      await running?.stop();
    },
  };
}

/** Options of {@link openChangeWebhook}, with the client for outgoing requests. */
type OpenedWebhookOptions = ChangeWebhookOptions & Required<Pick<ChangeWebhookOptions, 'egress'>>;

function startWebhook(options: OpenedWebhookOptions, url: URL, attempts: AttemptWatch): ChangeDelivery {
  const { store, follow, logger, timing = { random: secureRandom } } = options;
  const receiver = `${url.origin}${url.pathname}`;
  const onProblem = lastingFault({
    logger,
    dependency: DEPENDENCY,
    sentence: 'changes cannot be delivered to the webhook',
  });
  return startChangeDelivery({
    follow,
    deliveries: store.database.changeDeliveries(receiver),
    send: sender(options, { url, receiver, onAttempt: attempts.made, onProblem }),
    onLeaseEnd: attempts.forget,
    monotonic: systemTime.monotonic,
    onProblem,
    ...timing,
  });
}

interface SenderOptions {
  readonly url: URL;
  /** The address without its query. */
  readonly receiver: string;
  readonly onAttempt: (attempt: Attempt) => void;
  readonly onProblem: (error: unknown) => void;
}

/** Posts a change as a Security Event Token, signed with the key in use now (RFC 8935 section 2). */
function sender(
  { config, store, egress }: OpenedWebhookOptions,
  { url, receiver, onAttempt, onProblem }: SenderOptions,
): ChangeDeliveryOptions['send'] {
  const signing = {
    clock: store.clock,
    issuer: config.BASE_URL,
    keys: store.providerKeys,
    algorithm: config.ACCESS_TOKEN_SIGNING_ALG,
    audience: receiver,
  };
  return async (change, signal) => {
    const body = await issueSecurityEvent(signing, change).catch(onProblem);
    if (body === undefined) {
      onAttempt({ isAccepted: false, reason: 'not_signed' });
      return { isAccepted: false };
    }
    const response = await egress.post({
      url: url.href,
      contentType: MEDIA_TYPE.securityEventJwt,
      accept: MEDIA_TYPE.json,
      body,
      deadlineMs: ATTEMPT_MS,
      readRefusal: refusalCode,
      signal,
    });
    if (response.outcome === 'failed') {
      // An attempt that the shutdown aborts says nothing about the receiver.
      if (!signal.aborted) onAttempt({ isAccepted: false, ...response });
      return { isAccepted: false, retryAfterSeconds: response.retryAfterSeconds };
    }
    const isAccepted = response.status === ACCEPTED;
    onAttempt({ isAccepted, reason: 'status', status: response.status });
    return { isAccepted };
  };
}

/** Error codes of receivers (RFC 8935 section 2.4). */
const REFUSAL_CODES: readonly unknown[] = [
  'invalid_request',
  'invalid_key',
  'invalid_issuer',
  'invalid_audience',
  'authentication_failed',
  'access_denied',
];

function refusalCode(text: string): string | undefined {
  const refusal: unknown = JSON.parse(text);
  const code = isJsonObject(refusal) ? refusal['err'] : undefined;
  return typeof code === 'string' && REFUSAL_CODES.includes(code) ? code : undefined;
}
