import { isCleanText } from '@vestibule/http/bodies';
import { JsonError, type JsonLimits, parseJson } from '@vestibule/protocol/json';
import { errors } from 'oidc-provider';

/** The parameters of authorization requests that codes and tokens keep as the client sent them. */
const KEPT = ['nonce', 'acr_values'];

const CLAIMS_LIMITS: JsonLimits = { maxDepth: 16, maxMembers: 500 };

/**
 * The library's setting `extraParams`, which also validates parameters that the library knows: values that the store
 * could not keep are refused before the end-user is asked, and not when the code is exchanged.
 */
export const KEPT_PARAMETERS: Readonly<Record<string, (ctx: unknown, value: unknown) => void>> = {
  ...Object.fromEntries(KEPT.map((name) => [name, refuseUnclean(name)])),
  claims: refuseUnsafeClaims,
  resource: refuseEmptyList,
};

function refuseUnclean(name: string) {
  return (_ctx: unknown, value: unknown): void => {
    if (typeof value === 'string' && !isCleanText(value))
      throw new errors.InvalidRequest(`${name}: contains a control character`);
  };
}

/** A request object may have an empty list (RFC 8707 section 2). The library would check no scope value of the request. */
function refuseEmptyList(_ctx: unknown, value: unknown): void {
  if (Array.isArray(value) && value.length === 0)
    throw new errors.InvalidTarget('resource must not be an empty list');
}

function refuseUnsafeClaims(_ctx: unknown, value: unknown): void {
  if (typeof value !== 'string') return;
  try {
    parseJson(value, CLAIMS_LIMITS);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new errors.InvalidRequest('claims: is not valid JSON, too deep or too large');
  }
}
