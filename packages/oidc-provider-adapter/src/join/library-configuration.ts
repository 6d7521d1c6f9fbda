/** A feature of the library. */
export interface LibraryFeature {
  readonly enabled?: unknown;
  readonly [option: string]: unknown;
}

/** The settings of node-oidc-provider that are read here. Values that the library validates itself are unknown. */
export interface LibraryConfiguration {
  readonly acrValues?: unknown;
  readonly adapter?: unknown;
  readonly claims?: unknown;
  readonly clientDefaults?: { readonly id_token_signed_response_alg?: unknown };
  readonly clients?: unknown;
  readonly cookies?: {
    readonly names?: { readonly session?: unknown };
    readonly long?: { readonly path?: unknown; readonly domain?: unknown; readonly sameSite?: unknown };
  };
  readonly discovery?: object;
  readonly extraClientMetadata?: { readonly properties?: unknown; readonly [member: string]: unknown };
  readonly extraTokenClaims?: unknown;
  readonly features?: Readonly<Record<string, LibraryFeature | undefined>>;
  readonly formats?: {
    readonly customizers?: { readonly jwt?: unknown; readonly [format: string]: unknown };
    readonly [member: string]: unknown;
  };
  readonly issueRefreshToken?: unknown;
  readonly jwks?: unknown;
  readonly pairwiseIdentifier?: unknown;
  readonly responseTypes?: unknown;
  readonly routes?: object;
  readonly scopes?: unknown;
  readonly subjectTypes?: unknown;
}

/** The strings of a list or a set; `fallback` for a setting that is absent. */
export function textsOf(value: unknown, fallback: readonly string[] = []): readonly string[] {
  if (value === undefined) return fallback;
  const entries: readonly unknown[] = Array.isArray(value) ? value : value instanceof Set ? [...value] : [];
  return entries.filter((entry) => typeof entry === 'string');
}

/** Whether a feature is on; `fallback` is the default of the library. */
export function isEnabled(feature: LibraryFeature | undefined, fallback: boolean): boolean {
  return feature?.enabled === undefined ? fallback : feature.enabled === true;
}
