import type { JsonObject } from '@vestibule/protocol';

/** The servers whose exports of clients can be read. */
export const EXPORT_FORMATS = ['oidc-provider', 'keycloak', 'hydra'] as const;

/** A server whose exports of clients can be read. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What an export says about a client's secret. */
export type ExportedSecret =
  | { readonly kind: 'given'; readonly value: string }
  /** A hash of the secret, and the member of the export that holds it. */
  | { readonly kind: 'hashed'; readonly value: string; readonly member: string }
  | { readonly kind: 'none' }
  /** The client has a secret, which the export does not tell. */
  | { readonly kind: 'lost'; readonly reason: string };

/**
 * A client of an export in the words of a registration here; whether it can be registered is for the rules to judge.
 */
export interface ReadableClient {
  readonly kind: 'client';
  /** The identifier that it is to keep, as it stands in the export. */
  readonly id: string;
  /** Client metadata (RFC 7591 section 2) and `data`, without identifier and secret. */
  readonly metadata: JsonObject;
  readonly secret: ExportedSecret;
  /**
   * What could not be carried over and why, a sentence each. They quote no value, and names only where those are plain.
   */
  readonly warnings: readonly string[];
}

/** An entry of an export that is not to be registered. */
export interface PassedOverClient {
  readonly kind: 'passed_over';
  /** Absent when the entry has none that is a text. */
  readonly id?: string;
  readonly reason: string;
}

/** What an entry of an export turned out to be. */
export type ExportedClient = ReadableClient | PassedOverClient;
