import type { ErrorCode } from '@vestibule/protocol';
import type { TSchema } from 'typebox';

/** Documents a response. It is not used for validation or serialization. */
export interface ResponseDescription {
  readonly description: string;
  /** Headers in addition to those of every response of the route group. Required headers are always present. */
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
  /** Body schema by media type; without it, there is no body. For line-based media types, the schema of one line. */
  readonly content?: Readonly<Record<string, TSchema>>;
  /** Example bodies by media type. */
  readonly examples?: Examples;
}

/** Example bodies by media type, with only the members that a client would send or receive. */
export type Examples = Readonly<Record<string, unknown>>;

/** A header. */
export interface HeaderDescription {
  readonly description: string;
  readonly schema: TSchema;
  /** Default false. */
  readonly required?: boolean;
}

/** Documentation of an operation in addition to its request schemas. */
export interface OperationDescription {
  /** Unique in the document. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Alternative security schemes; `none` means no credential. */
  readonly security: readonly string[];
  /** Request headers other than the credential and the media type. */
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
  /** Documented body schema, if it is stricter than the request schema. */
  readonly body?: TSchema;
  /** The same for media types with a different format. */
  readonly bodyByMediaType?: Readonly<Record<string, TSchema>>;
  /** Documented query schema, if it is stricter than the request schema. */
  readonly query?: TSchema;
  /**
   * Example request bodies by media type, which the API page offers. An example succeeds as it is, or has placeholders
   * in angle brackets or capitals for the reader to fill in.
   */
  readonly bodyExamples?: Examples;
  /** Descriptions of the path parameters. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Headers of every response, including failures, in addition to those of the route group. */
  readonly responseHeaders?: Readonly<Record<string, HeaderDescription>>;
  /** Success responses by status. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Error codes that the operation may return. `server_error` is always included. */
  readonly errors: readonly ErrorCode[];
}

/** Any part of an OpenAPI document. */
export type OpenApiPart = { readonly [member: string]: unknown };
