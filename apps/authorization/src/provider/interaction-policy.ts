import { isJsonObject } from '@vestibule/protocol/json';
import { errors, interactionPolicy, type ProviderContext } from 'oidc-provider';
import type { ProviderDeps } from './provider-deps.js';
import { consentDetails } from './remembered-consent.js';

/**
 * The library's prompt policy, except that an essential `acr` (OpenID Connect Core section 5.5.1.1) that the login does
 * not attain is refused with `unmet_authentication_requirements` (OpenID Connect Core Error Code
 * unmet_authentication_requirements 1.0): at once if no login attains it, else after the login. The library would show
 * the login page again and again. A prompt for consent keeps what the consent will be given to.
 */
export function promptPolicy(acrValues: readonly string[], clients: ProviderDeps['clients']): object {
  const policy = interactionPolicy.base();
  const consent = policy.get('consent');
  if (consent !== undefined) consent.details = ({ oidc }) => consentDetails(clients, oidc.client?.clientId);
  const check = new interactionPolicy.Check(
    'unmet_acr',
    'no requested ACR could be obtained',
    ({ oidc }: ProviderContext) => {
      const wanted = essentialAcrs(oidc.claims?.id_token?.['acr']);
      if (wanted === undefined || isAttained(wanted, oidc.acr)) return false;
      const isAttainable = acrValues.some((value) => wanted.includes(value));
      if (isAttainable && oidc.result?.login === undefined) return false;
      throw new errors.UnmetAuthenticationRequirements('the requested acr could not be obtained');
    },
  );
  policy.get('login')?.checks.add(check);
  return policy;
}

/** The values of which one is required; `undefined` if none is. */
function essentialAcrs(request: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(request) || request['essential'] !== true) return undefined;
  const { value, values } = request;
  if (Array.isArray(values)) return values;
  return value === undefined ? undefined : [value];
}

function isAttained(wanted: readonly unknown[], acr: string | undefined): boolean {
  return acr !== undefined && wanted.includes(acr);
}
