/** The secret that a client brings from another server. */
export type ImportedSecret =
  | { readonly kind: 'clear'; readonly value: string }
  /** In one of the formats of `parseSecretHash`. */
  | { readonly kind: 'hash'; readonly hash: string };
