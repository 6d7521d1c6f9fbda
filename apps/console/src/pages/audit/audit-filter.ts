import type { AuditFilter } from '@vestibule/database/audit';
import { html, type Markup } from '@vestibule/http/pages';
import { type Static, Type } from 'typebox';
import type { FormErrors } from '../../frame/confirmed-action.js';
import { textField } from '../../frame/forms.js';
import { joined, section } from '../../frame/parts.js';
import { searchForm } from '../../frame/search-form.js';
import { NO_TIME, readTime, TIME_HINT } from '../../frame/time-text.js';
import { AUDIT_PATH } from './audit-deps.js';

/** The fields of a filter, in queries and forms. */
export const FilterFields = Type.Object({
  actor: Type.Optional(Type.String()),
  action: Type.Optional(Type.String()),
  target: Type.Optional(Type.String()),
  from: Type.Optional(Type.String()),
  until: Type.Optional(Type.String()),
});

/** A filter as it was typed. */
export type TypedFilter = Static<typeof FilterFields>;

/** A filter that was read, or what is wrong with its fields. */
export type FilterReading = { readonly filter: AuditFilter } | { readonly errors: FormErrors };

/** Reads a filter. */
export function readFilter({ actor, action, target, from, until }: TypedFilter): FilterReading {
  const [fromMs, untilMs] = [from, until].map((text) => (text === undefined ? undefined : readTime(text)));
  const errors = { ...timeError('from', from, fromMs), ...timeError('until', until, untilMs) };
  if (Object.keys(errors).length > 0) return { errors };
  if (fromMs !== undefined && untilMs !== undefined && fromMs >= untilMs)
    return { errors: { until: 'It must be after the first time.' } };
  return {
    filter: {
      ...(actor !== undefined && { actor: actor.trim() }),
      ...(action !== undefined && { action: action.trim() }),
      ...(target !== undefined && { target: target.trim() }),
      ...(fromMs !== undefined && { fromMs }),
      ...(untilMs !== undefined && { untilMs }),
    },
  };
}

/** Renders the fields of a filter with what was typed. */
export function filterForm(typed: TypedFilter, errors: FormErrors = {}): Markup {
  const { general } = errors;
  const field = (name: keyof TypedFilter, label: string, hint?: string) =>
    textField({ name, label, hint, value: typed[name], error: errors[name] });
  return section(
    'Filters',
    joined(
      general === undefined ? undefined : html`<p class="alert" role="alert">${general}</p>`,
      searchForm({
        action: AUDIT_PATH,
        content: joined(
          field('actor', 'Actor', 'As operator:jane or master.'),
          field('action', 'Action', 'As client.deleted.'),
          field('target', 'Target', 'As client:wiki.'),
          field('from', 'From', TIME_HINT),
          field('until', 'Until, exclusive', TIME_HINT),
        ),
        button: 'Show',
      }),
    ),
  );
}

function timeError(name: string, text: string | undefined, ms: number | undefined): FormErrors {
  return text !== undefined && ms === undefined ? { [name]: NO_TIME } : {};
}
