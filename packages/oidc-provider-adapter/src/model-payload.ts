import {
  type EpochSeconds,
  epochSeconds,
  isJsonObject,
  type JsonObject,
  nowSeconds,
} from '@vestibule/protocol';
import type { AdapterOptions } from './adapter-options.js';

/** What the library wants stored of a model, without the identifier, which is a credential for most of them. */
export function storablePayload(payload: object): JsonObject {
  const { jti: _credential, ...rest }: Record<string, unknown> = { ...payload };
  // Members that are undefined have no place in JSON.
  const plain: unknown = JSON.parse(JSON.stringify(rest));
  if (!isJsonObject(plain)) throw new TypeError('the payload of a model is not an object');
  return plain;
}

/** A member that is a text with something in it. */
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

/** When something ends that lives for a number of seconds from now on; never, without one. */
export function expiryOf(
  { clock }: Pick<AdapterOptions, 'clock'>,
  expiresIn: number | undefined,
): EpochSeconds | undefined {
  return expiresIn === undefined ? undefined : epochSeconds(nowSeconds(clock) + Math.ceil(expiresIn));
}

/** @throws TypeError without a value: the library promises one. */
export function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new TypeError(`a model came without ${what}`);
  return value;
}
