import { MAX_STRING_LENGTH } from './metadata-schema.js';

/** Settings that relax metadata rules. The defaults relax none. */
export interface MetadataSettings {
  /**
   * Whether web clients may register redirect URIs on loopback addresses, with http as well as https. For development
   * and tests only. Default false.
   */
  readonly allowLoopbackRedirectUris: boolean;
  /**
   * Hosts, in the format of `parseAllowedHosts`, that may use http in members that must otherwise be https. For
   * development and tests only. Default none.
   */
  readonly egressAllowHosts: readonly string[];
  /** Maximum length of a client's `scope` in characters, at most {@link MAX_SCOPE_LENGTH}. Default 2048. */
  readonly maxScopeLength: number;
  /**
   * Schemes without a dot, in lower case, allowed in redirect URIs of native clients, such as
   * `KNOWN_PRIVATE_USE_SCHEMES`. Default none.
   */
  readonly privateUseSchemes: readonly string[];
}

/** Settings for a server on the open Internet. */
export const STRICT_METADATA_SETTINGS: MetadataSettings = {
  allowLoopbackRedirectUris: false,
  egressAllowHosts: [],
  maxScopeLength: MAX_STRING_LENGTH,
  privateUseSchemes: [],
};
