import { MAX_STRING_LENGTH } from './metadata-schema.js';

/** Settings that relax rules on metadata; the defaults relax nothing. */
export interface MetadataSettings {
  /**
   * Whether web clients may register redirect URIs on loopback addresses, with http as well as https.
   * For development and tests alone. Default false.
   */
  readonly allowLoopbackRedirectUris: boolean;
  /**
   * Hosts, as `parseAllowedHosts` reads them, that may stand with http in members that must otherwise be https.
   * For development and tests alone. Default none.
   */
  readonly egressAllowHosts: readonly string[];
  /** The longest `scope` of a client, in characters; {@link MAX_SCOPE_LENGTH} at most. Default 2048. */
  readonly maxScopeLength: number;
  /** Schemes without a dot, in lower case, that redirect URIs of native clients may have. Default none. */
  readonly privateUseSchemes: readonly string[];
}

/** The settings of a server on the open Internet. */
export const STRICT_METADATA_SETTINGS: MetadataSettings = {
  allowLoopbackRedirectUris: false,
  egressAllowHosts: [],
  maxScopeLength: MAX_STRING_LENGTH,
  privateUseSchemes: [],
};
