import { JsonError, type JsonLimits, parseJson } from '@vestibule/protocol';
import { isCleanText } from '@vestibule/service-kit';
import { errors } from 'oidc-provider';

/** The parameters of authorisation requests that codes and tokens keep as the client wrote them. */
const KEPT = ['nonce', 'acr_values'];

const CLAIMS_LIMITS: JsonLimits = { maxDepth: 16, maxMembers: 500 };

/**
 * The library's setting `extraParams`, which also judges parameters that the library knows: what no store could keep is
 * refused while the end-user has not been asked yet, and not when the code comes back.
 */
export const KEPT_PARAMETERS: Readonly<Record<string, (ctx: unknown, value: unknown) => void>> = {
  ...Object.fromEntries(KEPT.map((name) => [name, refuseUnclean(name)])),
  claims: refuseUnsafeClaims,
};

function refuseUnclean(name: string) {
  return (_ctx: unknown, value: unknown): void => {
    if (typeof value === 'string' && !isCleanText(value))
      throw new errors.InvalidRequest(`${name} holds a control character`);
  };
}

function refuseUnsafeClaims(_ctx: unknown, value: unknown): void {
  if (typeof value !== 'string') return;
  try {
    parseJson(value, CLAIMS_LIMITS);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new errors.InvalidRequest('the parameter claims is not a JSON text that can be taken');
  }
}
