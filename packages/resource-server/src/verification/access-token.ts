import { type EpochSeconds, isEpochSeconds } from '@vestibule/protocol';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import type { SharedValues } from './shared-values.js';

/** An active access token, as introspection describes it (RFC 7662 section 2.2). Frozen, and shared by requests. */
export interface AccessToken {
  /** Every member of the introspection response. */
  readonly claims: JsonObject;
  /** Identifier of the end-user or client that the token acts for. */
  readonly subject: string | undefined;
  readonly clientId: string | undefined;
  readonly scope: readonly string[];
  readonly audience: readonly string[];
  readonly expiresAt: EpochSeconds | undefined;
  readonly notBefore: EpochSeconds | undefined;
  /** The key or certificate that the token is bound to (RFC 7800 section 3.1); empty for a bearer token. */
  readonly confirmation: Readonly<Record<string, JsonValue>>;
}

/** What an introspection response says. */
export type IntrospectedToken = AccessToken | 'inactive';

const NO_CONFIRMATION: JsonObject = Object.freeze({});

/**
 * Reads the members of an introspection response.
 * @returns `undefined` when a member that decides about access has the wrong type: such a response says nothing
 */
export function readIntrospection(members: JsonObject, shared: SharedValues): IntrospectedToken | undefined {
  if (members['active'] === false) return 'inactive';
  const claims = deepFreeze(shared.members(members));
  const { active, scope = '', client_id: clientId, sub: subject, exp, nbf, cnf = NO_CONFIRMATION } = claims;
  if (active !== true || typeof scope !== 'string' || !isJsonObject(cnf)) return undefined;
  const audience = audienceOf(claims['aud']);
  if (audience === undefined || !isTime(exp) || !isTime(nbf) || !isText(subject) || !isText(clientId))
    return undefined;
  return Object.freeze({
    claims,
    subject,
    clientId,
    scope: shared.scope(scope),
    audience,
    expiresAt: wholeSeconds(exp),
    notBefore: wholeSeconds(nbf),
    confirmation: cnf,
  });
}

const NO_AUDIENCE: readonly string[] = Object.freeze([]);

function audienceOf(aud: JsonValue | undefined): readonly string[] | undefined {
  if (aud === undefined) return NO_AUDIENCE;
  if (typeof aud === 'string') return [aud];
  return isTextList(aud) ? aud : undefined;
}

function isTextList(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isText(value: JsonValue | undefined): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/** A NumericDate may have a fraction (RFC 7519 section 2). */
function isTime(value: JsonValue | undefined): value is number | undefined {
  return value === undefined || (typeof value === 'number' && isEpochSeconds(Math.floor(value)));
}

function wholeSeconds(value: number | undefined): EpochSeconds | undefined {
  const seconds = value === undefined ? undefined : Math.floor(value);
  return isEpochSeconds(seconds) ? seconds : undefined;
}

function deepFreeze<Value extends JsonValue>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values<JsonValue>(value)) deepFreeze(member);
  return Object.freeze(value);
}
