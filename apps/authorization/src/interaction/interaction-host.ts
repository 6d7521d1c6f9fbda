import type { Reply, Request } from '@vestibule/http';
import type { EpochSeconds } from '@vestibule/protocol';
import type { ShownMetadata } from '@vestibule/service';

/** A pending interaction: what an end-user is asked, and for which client. */
export interface PendingInteraction {
  readonly prompt: 'login' | 'consent';
  readonly client: InteractionClient;
  /** The account that is logged in; absent before the login. */
  readonly accountId?: string;
  /** The `login_hint` of the client. */
  readonly loginHint?: string;
  /**
   * The greatest age of the login that the client accepts, in seconds: 0 for `prompt=login`, else `max_age`. Absent for
   * any age.
   */
  readonly maxAgeSeconds?: number;
  /** The authentication context classes that the client requests (`acr_values`). */
  readonly acrValues?: string;
  /** The languages that the client requests (`ui_locales`). */
  readonly uiLocales?: string;
  /** Scope values that need consent. */
  readonly scopes: readonly string[];
  /** The resource servers for which the client requests access, each with those of the scope values that are for it. */
  readonly resources: readonly InteractionResource[];
  /** Individual claims that need consent. */
  readonly claims: readonly string[];
}

/** A resource server to which an end-user is asked to allow access. Its texts must be escaped. */
export interface InteractionResource {
  /** Its resource identifier as registered, or its client identifier (RFC 8707 section 2). */
  readonly identifier: string;
  /** Its metadata, including names in other languages. */
  readonly metadata: ShownMetadata;
  readonly scopes: readonly string[];
}

/** The client that sent the end-user here, as registered. Its texts must be escaped. */
export interface InteractionClient {
  readonly id: string;
  /** Its metadata, including names and addresses in other languages. */
  readonly metadata: ShownMetadata;
  /** Where the browser goes afterwards. */
  readonly redirectUri?: string;
  /**
   * The host of the client ID metadata document that registered the client. Show it: everything else is what the document
   * says. Absent for all other clients.
   */
  readonly documentHost?: string;
}

/** The login of an end-user. */
export interface EndUserLogin {
  readonly accountId: string;
  /** Its authentication context class, one of `Interaction.acrValues`. */
  readonly acr?: string;
  /** How they authenticated (RFC 8176). */
  readonly amr?: readonly string[];
  /** When they authenticated. Default: now. */
  readonly authenticatedAt?: EpochSeconds;
}

/** A request for the page of an interaction, and its reply. */
export interface InteractionExchange {
  readonly request: Request;
  readonly reply: Reply;
}

/**
 * The authorization server, for the pages of an interaction. Each decision returns the address to redirect the browser
 * to.
 */
export interface InteractionHost {
  /**
   * `undefined` if this browser has no such interaction, or no longer has it, or if the client removed its redirect
   * URI.
   */
  pending(exchange: InteractionExchange): Promise<PendingInteraction | undefined>;
  /** Records that the end-user authenticated. A different end-user who was logged in before is logged out. */
  login(exchange: InteractionExchange, login: EndUserLogin): Promise<string>;
  /** The end-user consents to everything that was requested. */
  consent(exchange: InteractionExchange): Promise<string>;
  /** The end-user refuses. */
  refuse(exchange: InteractionExchange): Promise<string>;
}
