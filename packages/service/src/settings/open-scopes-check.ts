import type { Issuer } from '@vestibule/protocol';
import { introspectionEndpoint } from '@vestibule/protocol/constants';
import type { SettingsCheck } from './load-settings.js';

/** Settings that the check reads. */
export interface CheckedOpenScopes {
  readonly BASE_URL: Issuer;
  readonly OPEN_REGISTRATION_SCOPES: readonly string[];
}

/** Refuses open registration of the introspection scope: a client may introspect if its `scope` names the endpoint. */
export const checkOpenScopes: SettingsCheck<CheckedOpenScopes> = ({ OPEN_REGISTRATION_SCOPES, BASE_URL }) =>
  OPEN_REGISTRATION_SCOPES.includes(introspectionEndpoint(BASE_URL))
    ? [{ name: 'OPEN_REGISTRATION_SCOPES', problem: 'must not name the introspection endpoint' }]
    : [];
