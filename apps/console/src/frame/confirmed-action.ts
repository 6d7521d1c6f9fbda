import { hiddenFields, html, type Markup } from '@vestibule/http/pages';
import type { Static, TObject } from 'typebox';
import { Type } from 'typebox';
import { OTHER_WORD } from './confirmation-word.js';
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
  /** What must be typed, as `confirmationWord` chooses it for a name. */
  readonly word: string;
  /** Text of the button. */
  readonly button: string;
  /** Further sections, before the form. */
  readonly sections?: Markup | undefined;
  /** Further fields. */
  readonly fields?: Markup | undefined;
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string | undefined>>;
  /** A link to the page of what the action is about. */
  readonly back?: Markup | undefined;
}

/** An action that has to be confirmed by typing, on a page of its own. */
export interface ConfirmedDefinition<Fields extends TObject> {
  /** Path of the page and of the action. */
  readonly path: string;
  readonly role: Role;
  /** What the page gets as its query, and the action as its form. */
  readonly fields: Fields;
  /**
   * How its page is opened: by a link, or by a form that is sent without confirmation, for fields that must not be in an
   * address. Default `link`.
   */
  readonly openedBy?: 'link' | 'form';
  /**
   * Says what happens; or returns the page to show instead, if the action is not possible.
   * @throws DomainError `not_found` if there is nothing to act on
   */
  readonly describe: (
    visit: Visit,
    fields: Static<Fields>,
    errors: FormErrors,
  ) => Promise<Confirmation | ConsolePage>;
  /** Carries the action out. A refused form is shown again, with what was typed. */
  readonly perform: (visit: Visit, fields: Static<Fields>) => Promise<ActionOutcome | RefusedForm>;
}

/** Defines an action that cannot be undone: a page that says what happens, and the action that it sends. */
export function confirmedAction<const Fields extends TObject>({
  path,
  role,
  fields,
  openedBy = 'link',
  describe,
  perform,
}: ConfirmedDefinition<Fields>): readonly ConsoleRoute[] {
  const shown = async (
    visit: Visit,
    given: Static<Fields>,
    { errors, status }: Partial<RefusedForm> = {},
  ): Promise<ConsolePage> => {
    const described = await describe(visit, given, errors ?? {});
    if (!('word' in described)) return described;
    const page = confirmationPage(visit, role, described, errors ?? {});
    return errors === undefined ? page : { ...page, status: status ?? 400 };
  };
  const form = Type.Object({ ...fields.properties, confirmation: Type.Optional(Type.String()) });
  const page = consolePage({ path, role, query: fields, show: (visit, query) => shown(visit, query) });
  const action = consoleAction({
    path,
    role,
    form,
    isConfirmed: true,
    perform: async (visit, given) => {
      const values = given as Static<Fields> & { readonly confirmation?: string };
      if (openedBy === 'form' && values.confirmation === undefined) return shown(visit, values);
      const described = await describe(visit, values, {});
      if (!('word' in described)) return described;
      if (values.confirmation !== described.word)
        return { ...confirmationPage(visit, role, described, DIFFERS), status: 400 };
      const outcome = await perform(visit, values);
      return 'errors' in outcome ? shown(visit, values, outcome) : outcome;
    },
  });
  return openedBy === 'link' ? [page, action] : [action];
}

/** Nothing else is wrong, so the page is the one that was described. */
const DIFFERS: FormErrors = { confirmation: OTHER_WORD };

function confirmationPage(
  visit: Visit,
  role: Role,
  { title, content, word, button, sections, fields, hidden = {}, back }: Confirmation,
  errors: FormErrors,
): ConsolePage {
  const { general } = errors;
  const form = actionForm(visit, {
    action: addressOf(visit),
    role,
    content: joined(html`${hiddenFields(hidden)}`, fields, confirmationField(word, errors['confirmation'])),
    button,
    isDangerous: true,
  });
  const alert = general === undefined ? undefined : html`<p class="alert" role="alert">${general}</p>`;
  return {
    title,
    content: joined(
      section('What happens', joined(alert, content)),
      sections,
      form,
      back && html`<p>${back}</p>`,
    ),
  };
}

function addressOf({ address }: Visit): string {
  return address.split('?')[0] ?? '/';
}
