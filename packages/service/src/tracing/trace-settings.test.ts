import { createMetrics } from '@vestibule/http/observability';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { loadSettings, SettingsError } from '../settings/load-settings.js';
import { openTracing } from './open-tracing.js';
import { parseOtlpHeaders, TRACE_SETTINGS } from './trace-settings.js';

const load = (environment: Record<string, string>) => loadSettings(Type.Object(TRACE_SETTINGS), environment);

it('does not trace without an endpoint, and does not load OpenTelemetry', async () => {
  const { registry } = createMetrics('sample');
  expect(await openTracing({ name: 'sample', settings: load({}), registry })).toBeUndefined();
});

it('accepts an http or https URL without secrets', () => {
  const read = (text: string) => load({ OTEL_EXPORTER_OTLP_ENDPOINT: text }).OTEL_EXPORTER_OTLP_ENDPOINT;
  expect(read('http://collector:4318/')).toBe('http://collector:4318');
  for (const text of ['collector', 'ftp://c', 'http://user:secret@c', 'https://c/?token=1', 'https://c/#x'])
    expect(() => read(text), text).toThrow(SettingsError);
});

it('parses headers in the format of OpenTelemetry, and refuses invalid ones', () => {
  expect(parseOtlpHeaders('api-key=a%20b, x=1=2')).toEqual({ 'api-key': 'a b', x: '1=2' });
  for (const text of ['', 'name', '=x', 'a b=c', 'x=%0d%0a', 'x=%', 'x='])
    expect(parseOtlpHeaders(text), text).toBeUndefined();
});

it('takes a fraction for the ratio samplers', () => {
  const read = (text: string) => load({ OTEL_TRACES_SAMPLER_ARG: text }).OTEL_TRACES_SAMPLER_ARG;
  expect(['0', '0.25', '1'].map(read)).toEqual([0, 0.25, 1]);
  for (const text of ['1.5', '-0.1', 'half', '1e-1']) expect(() => read(text), text).toThrow(SettingsError);
});
