import type { RegistrationSettings } from '@vestibule/clients/registration';
import { defaultSupportedMetadata, type SupportedMetadata } from '@vestibule/metadata';
import Type, { type Static } from 'typebox';
import { CLIENT_SETTINGS } from '../shared-settings/client-settings.js';
import { EGRESS_SETTINGS } from '../shared-settings/egress-settings.js';
import { OAUTH_SETTINGS } from '../shared-settings/oauth-settings.js';
import { SHARED_SETTINGS } from '../shared-settings/shared-settings.js';

const Settings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  REGISTRABLE_GRANT_TYPES: OAUTH_SETTINGS.REGISTRABLE_GRANT_TYPES,
  SIGNING_ALGORITHMS: OAUTH_SETTINGS.SIGNING_ALGORITHMS,
  ...CLIENT_SETTINGS,
  ...EGRESS_SETTINGS,
});

/** Settings of a service that registers clients. */
export type ClientRegistrationConfig = Readonly<Static<typeof Settings>>;

/** Settings that apply to every registration, however the client registers. */
export type CommonRegistrationSettings = Pick<
  RegistrationSettings,
  | 'issuer'
  | 'clientIdLength'
  | 'clientSecretLength'
  | 'clientSecretLifetimeSeconds'
  | 'clientSecretOverlapSeconds'
  | 'previousSecretRetentionSeconds'
  | 'metadata'
>;

/** Registration rules that all services which register clients share, from their settings. */
export function commonRegistrationSettings(config: ClientRegistrationConfig): CommonRegistrationSettings {
  return {
    issuer: config.BASE_URL,
    clientIdLength: config.CLIENT_ID_LENGTH,
    clientSecretLength: config.CLIENT_SECRET_LENGTH,
    clientSecretLifetimeSeconds: config.CLIENT_SECRET_LIFETIME_SECONDS,
    clientSecretOverlapSeconds: config.CLIENT_SECRET_OVERLAP_SECONDS,
    previousSecretRetentionSeconds: config.PREVIOUS_SECRET_RETENTION_SECONDS,
    metadata: {
      allowLoopbackRedirectUris: config.ALLOW_LOOPBACK_REDIRECT_URIS,
      egressAllowHosts: config.EGRESS_ALLOW_HOSTS,
      maxScopeLength: config.CLIENT_SCOPE_MAX_LENGTH,
      privateUseSchemes: config.PRIVATE_USE_SCHEMES,
    },
  };
}

/** Client metadata that the server supports, from the shared settings. */
export function supportedClientMetadata(config: ClientRegistrationConfig): SupportedMetadata {
  return defaultSupportedMetadata({
    grantTypes: config.REGISTRABLE_GRANT_TYPES,
    signingAlgorithms: config.SIGNING_ALGORITHMS,
  });
}
