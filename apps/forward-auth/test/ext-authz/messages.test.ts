import type protobuf from 'protobufjs';
import { expect, it } from 'vitest';
import { MESSAGES } from '../../src/ext-authz/messages.js';
import { publishedTypes } from '../support/published-definition.js';

/** The published names of the messages. */
const PUBLISHED_NAMES: ReadonlyMap<string, string> = new Map([
  ['CheckRequest', 'envoy.service.auth.v3.CheckRequest'],
  ['AttributeContext', 'envoy.service.auth.v3.AttributeContext'],
  ['Peer', 'envoy.service.auth.v3.AttributeContext.Peer'],
  ['Request', 'envoy.service.auth.v3.AttributeContext.Request'],
  ['HttpRequest', 'envoy.service.auth.v3.AttributeContext.HttpRequest'],
  ['HeaderMap', 'envoy.config.core.v3.HeaderMap'],
  ['HeaderValue', 'envoy.config.core.v3.HeaderValue'],
  ['CheckResponse', 'envoy.service.auth.v3.CheckResponse'],
  ['Status', 'google.rpc.Status'],
  ['DeniedHttpResponse', 'envoy.service.auth.v3.DeniedHttpResponse'],
  ['HttpStatus', 'envoy.type.v3.HttpStatus'],
  ['OkHttpResponse', 'envoy.service.auth.v3.OkHttpResponse'],
  ['HeaderValueOption', 'envoy.config.core.v3.HeaderValueOption'],
  ['HealthCheckRequest', 'grpc.health.v1.HealthCheckRequest'],
  ['HealthCheckResponse', 'grpc.health.v1.HealthCheckResponse'],
]);

const published = publishedTypes();

/** What decides how a field is encoded. */
function encodingOf(field: protobuf.Field): unknown {
  const { id, repeated, resolvedType, type } = field.resolve();
  const key = 'keyType' in field ? field.keyType : undefined;
  if (resolvedType === null) return { id, repeated, key, type };
  // Enumerations are encoded like numbers.
  const isEnum = 'values' in resolvedType;
  return { id, repeated, key, type: isEnum ? 'int32' : resolvedType.fullName.slice(1) };
}

it('knows the published name of each message', () => {
  expect(MESSAGES.nestedArray.map(({ name }) => name)).toEqual([...PUBLISHED_NAMES.keys()]);
});

it.each([...PUBLISHED_NAMES])('encodes each field of %s as published', (name, publishedName) => {
  const { fieldsArray } = MESSAGES.lookupType(name);
  expect(fieldsArray.length).toBeGreaterThan(0);
  const { fields } = published.lookupType(publishedName);
  for (const field of fieldsArray) {
    const theirs = fields[field.name];
    const { type, ...encoding } = encodingOf(field) as { type: string };
    expect([field.name, { ...encoding, type: PUBLISHED_NAMES.get(type) ?? type }]).toEqual([
      field.name,
      theirs && encodingOf(theirs),
    ]);
  }
});
