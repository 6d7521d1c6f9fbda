import { type EpochSeconds, isEpochSeconds } from '@vestibule/protocol';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';

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
export function readIntrospection(members: JsonObject): IntrospectedToken | undefined {
  const { active, scope = '', client_id: clientId, sub: subject, exp, nbf, cnf = NO_CONFIRMATION } = members;
  if (active === false) return 'inactive';
  if (active !== true || typeof scope !== 'string' || !isJsonObject(cnf)) return undefined;
  const audience = audienceOf(members['aud']);
  if (audience === undefined || !isTime(exp) || !isTime(nbf) || !isText(subject) || !isText(clientId))
    return undefined;
  return Object.freeze({
    claims: deepFreeze(members),
    subject,
    clientId,
    scope: Object.freeze(scope.split(' ').filter((value) => value !== '')),
    audience,
    expiresAt: wholeSeconds(exp),
    notBefore: wholeSeconds(nbf),
    confirmation: cnf,
  });
}

function audienceOf(aud: JsonValue | undefined): readonly string[] | undefined {
  if (aud === undefined) return [];
  const values: readonly JsonValue[] = Array.isArray(aud) ? aud : [aud];
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length === values.length ? Object.freeze(texts) : undefined;
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
