import type { ErrorCode } from '@vestibule/protocol';
import type { TSchema } from 'typebox';

/** What a response may look like. Documentation alone: nothing is checked or written by it. */
export interface ResponseDescription {
  readonly description: string;
  /** Its headers besides those that every response of the route group has; a required one is always there. */
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
  /** What its body holds, by media type; no body without it. A line of it where the media type has lines. */
  readonly content?: Readonly<Record<string, TSchema>>;
  /** A body, by media type. */
  readonly examples?: Examples;
}

/** Bodies to show, by media type; the members that one would send or get, no others. */
export type Examples = Readonly<Record<string, unknown>>;

/** One header. */
export interface HeaderDescription {
  readonly description: string;
  readonly schema: TSchema;
  /** Default false. */
  readonly required?: boolean;
}

/** What the API document says about an operation beyond the schemas that requests are checked with. */
export interface OperationDescription {
  /** Unique in the document. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The security schemes of which one is enough; `none` stands for no credential. */
  readonly security: readonly string[];
  /** Headers of the request, besides the credential and the media type. */
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
  /** What the body should hold, where that is more than what it is checked with before the operation. */
  readonly body?: TSchema;
  /** The same of bodies of some media types, which have another form. */
  readonly bodyByMediaType?: Readonly<Record<string, TSchema>>;
  /** What the query should hold, where that is more than what it is checked with before the operation. */
  readonly query?: TSchema;
  /**
   * A body to send, by media type: the page to try operations offers it. It succeeds as it stands, or has placeholders
   * in angle brackets or in capitals for what the reader has to fill in.
   */
  readonly bodyExamples?: Examples;
  /** What `:name` in the address stands for. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Headers that every response has, failures included, besides those that every response of the route group has. */
  readonly responseHeaders?: Readonly<Record<string, HeaderDescription>>;
  /** The answers to requests that succeed, by status. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** The ways in which it may fail; they look as the route group presents them. `server_error` is always among them. */
  readonly errors: readonly ErrorCode[];
}
