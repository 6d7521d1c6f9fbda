import { type Issuer, introspectionEndpoint } from '@vestibule/protocol';
import type { SettingsCheck } from './load-settings.js';

/** What the check looks at. */
export interface CheckedOpenScopes {
  readonly BASE_URL: Issuer;
  readonly OPEN_REGISTRATION_SCOPES: readonly string[];
}

/** Refuses to let anyone register the right to introspect, which a client has by naming the endpoint in `scope`. */
export const checkOpenScopes: SettingsCheck<CheckedOpenScopes> = ({ OPEN_REGISTRATION_SCOPES, BASE_URL }) =>
  OPEN_REGISTRATION_SCOPES.includes(introspectionEndpoint(BASE_URL))
    ? [{ name: 'OPEN_REGISTRATION_SCOPES', problem: 'must not name the introspection endpoint' }]
    : [];
