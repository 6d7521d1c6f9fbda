import { createEgress, type Egress } from '@vestibule/egress';
import { portOf } from '@vestibule/protocol';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import type { FigureWindow } from './figure-window.js';
import { type Figures, FiguresUnavailableError, type FiringAlert, type OutcomeCounts } from './figures.js';
import { OUR_ALERTS } from './our-alerts.js';

/** Where the figures are. */
export interface PrometheusFiguresOptions {
  /** The address of Prometheus, possibly with a path below which its API is. */
  readonly url: URL;
  /** Default: a client for outgoing requests to this host alone, which may be internal. */
  readonly egress?: Pick<Egress, 'fetchDocument'>;
}

const DEADLINE_MS = 2_000;
const MAX_BYTES = 1_048_576;
const MAX_OUTCOMES = 30;
const MAX_ALERTS = 20;
const MAX_SUMMARY_LENGTH = 500;
/** A larger count would not be exact, and is no count of ours. */
const MAX_COUNT = Number.MAX_SAFE_INTEGER;

/** Reads figures from the HTTP API of Prometheus. Each request has a deadline of two seconds and a size limit. */
export function prometheusFigures({
  url,
  egress = createEgress({ allowHosts: [`${url.hostname}:${portOf(url)}`] }),
}: PrometheusFiguresOptions): Figures {
  const read = async (path: string, query: Readonly<Record<string, string>> = {}): Promise<JsonObject> => {
    const address = new URL(url);
    address.pathname = `${address.pathname.replace(/\/$/, '')}/api/v1/${path}`;
    address.search = new URLSearchParams(query).toString();
    const response = await egress.fetchDocument({
      url: address.href,
      accept: 'application/json',
      mediaTypes: ['application/json'],
      maxBytes: MAX_BYTES,
      deadlineMs: DEADLINE_MS,
    });
    if (response.outcome === 'failed')
      throw new FiguresUnavailableError(`Prometheus gives no usable response (${response.reason}).`);
    return dataOf(response.text);
  };
  return {
    introspections: async (window) => {
      const { startsAt, stepSeconds, steps } = window;
      const data = await read('query_range', {
        query: `sum by (outcome) (increase(introspection_outcomes_total[${stepSeconds}s]))`,
        // The increase of a step is evaluated at its end.
        start: String(startsAt + stepSeconds),
        end: String(startsAt + steps * stepSeconds),
        step: String(stepSeconds),
      });
      return outcomesOf(data, window);
    },
    alerts: async () => firingAlerts(await read('alerts')),
  };
}

function malformed(): FiguresUnavailableError {
  return new FiguresUnavailableError('Prometheus gives no usable response (content).');
}

function dataOf(text: string): JsonObject {
  let response: unknown;
  try {
    response = JSON.parse(text);
  } catch {
    throw malformed();
  }
  if (!isJsonObject(response) || response['status'] !== 'success' || !isJsonObject(response['data']))
    throw malformed();
  return response['data'];
}

function outcomesOf({ result }: JsonObject, window: FigureWindow): OutcomeCounts {
  if (!Array.isArray(result) || result.length > MAX_OUTCOMES) throw malformed();
  return new Map(result.map((series) => outcomeOf(series, window)));
}

function outcomeOf(series: JsonValue, { startsAt, stepSeconds, steps }: FigureWindow) {
  if (!isJsonObject(series) || !isJsonObject(series['metric']) || !Array.isArray(series['values']))
    throw malformed();
  const outcome = series['metric']['outcome'];
  if (typeof outcome !== 'string' || !/^[a-z_]{1,40}$/.test(outcome)) throw malformed();
  const counts = Array.from({ length: steps }, () => 0);
  for (const sample of series['values']) {
    if (!Array.isArray(sample)) throw malformed();
    const [at, value] = [Number(sample[0]), Number(sample[1])];
    const step = Math.round((at - startsAt) / stepSeconds) - 1;
    if (!(value >= 0 && value <= MAX_COUNT) || !(step >= 0 && step < steps)) throw malformed();
    counts[step] = Math.round(value);
  }
  return [outcome, counts] as const;
}

function firingAlerts({ alerts }: JsonObject): readonly FiringAlert[] {
  if (!Array.isArray(alerts)) throw malformed();
  return alerts
    .flatMap((alert) => firingAlert(alert) ?? [])
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, MAX_ALERTS);
}

/** An alert of ours that fires; `undefined` for others, whatever they look like. */
function firingAlert(alert: JsonValue): FiringAlert | undefined {
  if (!isJsonObject(alert) || alert['state'] !== 'firing') return undefined;
  const { labels, annotations } = alert;
  if (!isJsonObject(labels) || !isJsonObject(annotations)) return undefined;
  const { alertname: name, severity } = labels;
  const { summary } = annotations;
  if (typeof name !== 'string' || !OUR_ALERTS.has(name) || typeof summary !== 'string') return undefined;
  return {
    name,
    severity: severity === 'critical' ? 'critical' : 'warning',
    summary: summary.slice(0, MAX_SUMMARY_LENGTH),
  };
}

function rank({ severity }: FiringAlert): number {
  return severity === 'critical' ? 0 : 1;
}
