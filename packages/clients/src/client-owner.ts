declare const clientOwnerBrand: unique symbol;

/** The name of a set of files that owns clients: 1 to 64 letters, digits, dots, hyphens, underscores and at signs. */
export type ClientOwner = string & { readonly [clientOwnerBrand]: true };

const OWNER = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/** Parses the name of an owner; `undefined` if no set of files can have it. */
export function parseClientOwner(text: string): ClientOwner | undefined {
  return OWNER.test(text) ? (text as ClientOwner) : undefined;
}

/** The set of files that owns a client. */
export interface ClientOwnership {
  readonly owner: ClientOwner;
  /** Whether the secret was generated for the files, and has not been handed over yet. */
  readonly isSecretUndelivered: boolean;
}
