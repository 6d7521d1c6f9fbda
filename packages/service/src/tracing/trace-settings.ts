import Type from 'typebox';
import type { Secret } from '../settings/secret.js';
import { customSetting, type Reading, secretSetting } from '../settings/setting.js';

/** Tracing settings, with the names of OpenTelemetry. Without an endpoint, tracing is off. */
export const TRACE_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    customSetting<string>({
      description:
        'OTLP/HTTP endpoint for traces (protobuf, sent to `/v1/traces` below it). If not set, tracing is off.',
      form: 'an http or https URL without credentials, query and fragment',
      read: readEndpoint,
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(
    secretSetting({
      description: 'Headers to send with traces.',
      form: 'comma-separated name=value pairs with percent-encoded values',
      problem: (text) =>
        parseOtlpHeaders(text) === undefined ? 'must be comma-separated name=value pairs' : undefined,
    }),
  ),
  OTEL_TRACES_SAMPLER: Type.Enum(
    [
      'traceidratio',
      'always_on',
      'always_off',
      'parentbased_traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
    ],
    {
      description:
        'Which requests are traced. The `parentbased_` samplers follow the sampling decision of the caller; use them only if callers are trusted.',
      default: 'parentbased_traceidratio',
    },
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    description: 'Fraction of requests that the ratio samplers trace, from 0 to 1.',
    default: 1,
    minimum: 0,
    maximum: 1,
  }),
  OTEL_SERVICE_NAME: Type.Optional(
    Type.String({
      description: 'Service name in traces. Default: `vestibule-` followed by the name of the service.',
      minLength: 1,
      maxLength: 255,
    }),
  ),
};

/** The parsed settings. */
export interface TraceSettings {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: Secret;
  readonly OTEL_TRACES_SAMPLER: string;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
  readonly OTEL_SERVICE_NAME?: string;
}

const HEADER_NAME = /^[A-Za-z0-9!#$&'*+.^_`|~-]+$/;

/** Parses headers in the format of OpenTelemetry (OTLP Exporter Configuration); `undefined` if they are invalid. */
export function parseOtlpHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const headers: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [name = '', ...rest] = part.split('=');
    const value = decoded(rest.join('=').trim());
    if (!HEADER_NAME.test(name.trim()) || value === undefined || rest.length === 0) return undefined;
    headers[name.trim()] = value;
  }
  return headers;
}

const HEADER_VALUE = /^[\x20-\x7e]+$/;

function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text);
    return HEADER_VALUE.test(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readEndpoint(text: string): Reading<string> {
  if (!URL.canParse(text)) return { problem: 'must be an absolute URL' };
  const { protocol, username, password, search, hash } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return { problem: 'must be an http or https URL' };
  const extra = [username, password, search, hash].some((part) => part !== '');
  return extra
    ? { problem: 'must have no credentials, query or fragment' }
    : { value: text.replace(/\/+$/, '') };
}
