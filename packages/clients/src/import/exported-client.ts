import type { JsonObject } from '@vestibule/protocol/json';

/** Servers whose client exports can be read. */
export const EXPORT_FORMATS = ['oidc-provider', 'keycloak', 'hydra'] as const;

/** A server whose client exports can be read. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The secret of a client in an export. */
export type ExportedSecret =
  | { readonly kind: 'given'; readonly value: string }
  /** A hash of the secret, and the member of the export that has it. */
  | { readonly kind: 'hashed'; readonly value: string; readonly member: string }
  | { readonly kind: 'none' }
  /** The client has a secret, but the export does not contain it. */
  | { readonly kind: 'lost'; readonly reason: string };

/** An exported client as registration members; the registration rules decide whether it can be registered. */
export interface ReadableClient {
  readonly kind: 'client';
  /** The identifier to keep, as in the export. */
  readonly id: string;
  /** Client metadata (RFC 7591 section 2) and `data`, without identifier and secret. */
  readonly metadata: JsonObject;
  readonly secret: ExportedSecret;
  /**
   * One sentence for each thing that could not be carried over, with the reason. They quote no value, and names only if
   * those are plain text.
   */
  readonly warnings: readonly string[];
}

/** An entry of an export that is not registered. */
export interface PassedOverClient {
  readonly kind: 'passed_over';
  /** Absent if the entry has no identifier that is a string. */
  readonly id?: string;
  readonly reason: string;
}

/** The result of reading an entry of an export. */
export type ExportedClient = ReadableClient | PassedOverClient;
