import { hiddenFields, html, type Markup } from '@vestibule/http/pages';
import type { Static, TObject } from 'typebox';
import { Type } from 'typebox';
import {
  type ActionOutcome,
  type ConsolePage,
  type ConsoleRoute,
  consoleAction,
  consolePage,
} from './console-route.js';
import { actionForm, confirmationField } from './forms.js';
import type { Role } from './operator.js';
import { joined, section } from './parts.js';
import type { Visit } from './visit.js';

/** What is wrong with the fields of a form, by name; `general` belongs to none. */
export type FormErrors = Readonly<Record<string, string>>;

/** A form that was refused, with the reasons. */
export interface RefusedForm {
  readonly errors: FormErrors;
  /** Default 400. */
  readonly status?: number;
}

/** What the page says before an action that has to be confirmed by typing. */
export interface Confirmation {
  readonly title: string;
  /** What happens. */
  readonly content: Markup;
  /** What must be typed. */
  readonly word: string;
  /** Text of the button. */
  readonly button: string;
  /** Further fields. */
  readonly fields?: Markup | undefined;
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string | undefined>>;
}

/** An action that has to be confirmed by typing, on a page of its own. */
export interface ConfirmedDefinition<Fields extends TObject> {
  /** Path of the page and of the action. */
  readonly path: string;
  readonly role: Role;
  /** What the page gets as its query, and the action as its form. */
  readonly fields: Fields;
  /**
   * Says what happens.
   * @throws DomainError `not_found` if there is nothing to act on
   */
  readonly describe: (visit: Visit, fields: Static<Fields>, errors: FormErrors) => Promise<Confirmation>;
  /** Carries the action out. A refused form is shown again, with what was typed. */
  readonly perform: (visit: Visit, fields: Static<Fields>) => Promise<ActionOutcome | RefusedForm>;
}

/** Defines an action that cannot be undone: a page that says what happens, and the action that it sends. */
export function confirmedAction<const Fields extends TObject>({
  path,
  role,
  fields,
  describe,
  perform,
}: ConfirmedDefinition<Fields>): readonly ConsoleRoute[] {
  const shown = async (
    visit: Visit,
    given: Static<Fields>,
    { errors, status }: Partial<RefusedForm> = {},
  ): Promise<ConsolePage> => {
    const confirmation = await describe(visit, given, errors ?? {});
    const page = confirmationPage(visit, path, role, confirmation, errors ?? {});
    return errors === undefined ? page : { ...page, status: status ?? 400 };
  };
  const form = Type.Object({ ...fields.properties, confirmation: Type.Optional(Type.String()) });
  return [
    consolePage({ path, role, query: fields, show: (visit, query) => shown(visit, query) }),
    consoleAction({
      path,
      role,
      form,
      perform: async (visit, given) => {
        const values = given as Static<Fields> & { readonly confirmation?: string };
        const { word } = await describe(visit, values, {});
        if (values.confirmation !== word)
          return shown(visit, values, { errors: { confirmation: 'It differs: nothing was changed.' } });
        const outcome = await perform(visit, values);
        return 'errors' in outcome ? shown(visit, values, outcome) : outcome;
      },
    }),
  ];
}

function confirmationPage(
  visit: Visit,
  path: string,
  role: Role,
  { title, content, word, button, fields, hidden = {} }: Confirmation,
  errors: FormErrors,
): ConsolePage {
  const { general } = errors;
  const form = actionForm(visit, {
    action: path.includes(':') ? addressOf(visit) : path,
    role,
    content: joined(html`${hiddenFields(hidden)}`, fields, confirmationField(word, errors['confirmation'])),
    button,
    isDangerous: true,
  });
  const alert = general === undefined ? undefined : html`<p class="alert" role="alert">${general}</p>`;
  return { title, content: section('What happens', joined(alert, content, form)) };
}

function addressOf({ address }: Visit): string {
  return address.split('?')[0] ?? '/';
}
