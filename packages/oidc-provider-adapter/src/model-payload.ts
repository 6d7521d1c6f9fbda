import { type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { isJsonObject, type JsonObject } from '@vestibule/protocol/json';
import type { AdapterOptions } from './adapter-options.js';

/** The payload of a model to store, without the identifier, which is a credential for most models. */
export function storablePayload(payload: object): JsonObject {
  const { jti: _credential, ...rest }: Record<string, unknown> = { ...payload };
  // JSON has no undefined members.
  const plain: unknown = JSON.parse(JSON.stringify(rest));
  if (!isJsonObject(plain)) throw new TypeError('the payload of a model is not an object');
  return plain;
}

/** A member that is a non-empty string. */
export function textMember(payload: JsonObject, name: string): string | undefined {
  const value = payload[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A member that is an object. */
export function objectMember(payload: JsonObject, name: string): JsonObject | undefined {
  const value = payload[name];
  return isJsonObject(value) ? value : undefined;
}

/** A member that is an instant. */
export function instantMember(payload: JsonObject, name: string): EpochSeconds | undefined {
  const value = payload[name];
  return typeof value === 'number' ? epochSeconds(value) : undefined;
}

/** The expiry of something with a lifetime in seconds from now; never, without one. */
export function expiryOf(
  { clock }: Pick<AdapterOptions, 'clock'>,
  expiresIn: number | undefined,
): EpochSeconds | undefined {
  return expiresIn === undefined ? undefined : epochSeconds(nowSeconds(clock) + Math.ceil(expiresIn));
}

/**
 * Requires a value that the library guarantees.
 * @throws TypeError without a value
 */
export function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new TypeError(`a model without ${what}`);
  return value;
}
