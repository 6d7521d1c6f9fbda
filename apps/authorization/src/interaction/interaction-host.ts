import type { Reply, Request } from '@vestibule/service-kit';
import type { ShownMetadata } from '@vestibule/service-kit/pages';

/** What an end-user is asked, and by whom. */
export interface PendingInteraction {
  readonly prompt: 'login' | 'consent';
  readonly client: InteractionClient;
  /** Who is logged in; absent before the login. */
  readonly accountId?: string;
  /** What the client guesses about who logs in. */
  readonly loginHint?: string;
  /** The languages that the client asks for (`ui_locales`). */
  readonly uiLocales?: string;
  /** Scope values that are to be consented to. */
  readonly scopes: readonly string[];
  /** Claims that are to be consented to one by one. */
  readonly claims: readonly string[];
}

/** The client that sent the end-user here, as it registered. Nothing of it is to be trusted as markup. */
export interface InteractionClient {
  readonly id: string;
  /** Its metadata, names and addresses in other languages included. */
  readonly metadata: ShownMetadata;
  /** Where the browser goes afterwards. */
  readonly redirectUri?: string;
}

/** A request for the page of an interaction, and the answer to it. */
export interface InteractionExchange {
  readonly request: Request;
  readonly reply: Reply;
}

/**
 * The authorisation server as the pages of an interaction see it. Each decision gives the address to send the browser
 * to.
 */
export interface InteractionHost {
  /**
   * `undefined` when this browser has no such interaction, or not any more, or the client did away with its address.
   */
  pending(exchange: InteractionExchange): Promise<PendingInteraction | undefined>;
  /**
   * The end-user has proved who they are, by a login of the class `acr`, which is one of `Interaction.acrValues`.
   * Whoever was logged in before as someone else is logged out.
   */
  login(exchange: InteractionExchange, accountId: string, acr?: string): Promise<string>;
  /** The end-user allows everything that was asked. */
  consent(exchange: InteractionExchange): Promise<string>;
  /** The end-user does not want to go on. */
  refuse(exchange: InteractionExchange): Promise<string>;
}
