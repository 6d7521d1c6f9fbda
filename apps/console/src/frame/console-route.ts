import type { Markup } from '@vestibule/http/pages';
import type { Static, TObject } from 'typebox';
import type { Role } from './operator.js';
import type { Visit } from './visit.js';

/** A page of the console without its frame. */
export interface ConsolePage {
  /** Heading and title; plain text. */
  readonly title: string;
  readonly content: Markup;
  /** Default 200. */
  readonly status?: number;
}

/** The outcome of an action: another page of the console to go to, or a page to show at once. */
export type ActionOutcome =
  | {
      /** Path and query of a page of the console. */
      readonly goTo: string;
      /** The notice that this page shows, by its name in {@link PageDefinition.notices}. */
      readonly notice?: string;
    }
  | ConsolePage
  | Download;

/** A file that is sent in pieces. */
export interface Download {
  readonly fileName: string;
  readonly mediaType: string;
  /** Read on demand. A failure ends the connection, so that the file is not taken for complete. */
  readonly pieces: AsyncIterable<string>;
}

/** A page or an action, with the role that it requires. */
export type ConsoleRoute = PageRoute | ActionRoute;

/** A page, without the type of its query. */
export interface PageRoute {
  readonly method: 'GET';
  readonly path: string;
  readonly role: Role;
  readonly query: TObject;
  readonly notices: Readonly<Record<string, string>>;
  readonly respond: (visit: Visit, query: Readonly<Record<string, unknown>>) => Promise<ConsolePage>;
}

/** An action, without the type of its form. */
export interface ActionRoute {
  readonly method: 'POST';
  readonly path: string;
  readonly role: Role;
  readonly form: TObject;
  readonly hasSecret: boolean;
  readonly isConfirmed: boolean;
  readonly respond: (visit: Visit, form: Readonly<Record<string, unknown>>) => Promise<ActionOutcome>;
}

/** Defines a page. */
export interface PageDefinition<Query extends TObject> {
  /** Path with parameters, as `/clients/:id`. */
  readonly path: string;
  /** Default `viewer`. */
  readonly role?: Role;
  /** Query parameters; text, and absent if empty. Others are ignored. */
  readonly query: Query;
  /** Sentences that the page shows after an action, by name. */
  readonly notices?: Readonly<Record<string, string>>;
  /**
   * Renders the page.
   * @throws DomainError `not_found` if there is no such page
   */
  readonly show: (visit: Visit, query: Static<Query>) => Promise<ConsolePage>;
}

/** Defines a page (GET). Requests without a session go to the login. */
export function consolePage<const Query extends TObject>({
  path,
  role = 'viewer',
  query,
  notices = {},
  show,
}: PageDefinition<Query>): PageRoute {
  const respond: PageRoute['respond'] = (visit, given) => show(visit, given as Static<Query>);
  return { method: 'GET', path, role, query, notices, respond };
}

/** Defines an action. */
export interface ActionDefinition<Form extends TObject> {
  /** Path with parameters, as `/clients/:id/approve`. */
  readonly path: string;
  /** Mandatory, so that each action states it. */
  readonly role: Role;
  /** Form fields; text, and absent if empty. Others are ignored. */
  readonly form: Form;
  /** Whether the form has a secret, such as a token: then no page repeats what was typed. Default false. */
  readonly hasSecret?: boolean;
  /** Whether it is carried out only after something was typed to confirm it (`confirmedAction`). Default false. */
  readonly isConfirmed?: boolean;
  /**
   * Carries the action out under the name of the operator. A DomainError becomes a page with its description; an action
   * that can show it beside its field catches it and returns its form again, with status 400 or 409.
   */
  readonly perform: (visit: Visit, form: Static<Form>) => Promise<ActionOutcome>;
}

/**
 * Defines an action (POST). Before it is performed, the session, the form token, the origin of the request and the role
 * are checked; a refused role is recorded.
 */
export function consoleAction<const Form extends TObject>({
  path,
  role,
  form,
  hasSecret = false,
  isConfirmed = false,
  perform,
}: ActionDefinition<Form>): ActionRoute {
  const respond: ActionRoute['respond'] = (visit, given) => perform(visit, given as Static<Form>);
  return { method: 'POST', path, role, form, hasSecret, isConfirmed, respond };
}
