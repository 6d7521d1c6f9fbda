import { html, type Markup } from '@vestibule/http/pages';
import { type Field, selectField, textArea, textField } from '../../frame/forms.js';
import { METADATA_FIELDS, type MetadataField } from './metadata-fields.js';
import type { MetadataForm, MetadataProblems } from './metadata-form.js';

const NO_PROBLEMS: MetadataProblems = { fields: {} };

const MAX_LINES = 12;
const MIN_LINES = 3;

/** Renders the fields of a client with what was entered, and what is wrong with it beside the field. */
export function metadataFields(form: MetadataForm, problems: MetadataProblems = NO_PROBLEMS): Markup {
  const fields = METADATA_FIELDS.map(
    (field: MetadataField & { readonly name: keyof MetadataForm['fields'] }) =>
      fieldView(field, {
        name: field.name,
        label: field.label,
        hint: field.hint,
        value: form.fields[field.name],
        error: problems.fields[field.name],
      }),
  );
  return html`${problems.general === undefined ? undefined : html`<p class="alert" role="alert">${problems.general}</p>\n`}${fields}${textArea(
    {
      name: 'rest',
      label: 'All other members, and data, as JSON',
      hint: 'A JSON object with registered member names, such as client_name#de or jwks.',
      value: form.rest,
      error: problems.fields.rest,
      rows: MAX_LINES,
    },
  )}`;
}

function fieldView({ kind, options = [] }: MetadataField, field: Field): Markup {
  if (kind === 'text') return textField({ ...field, maxLength: 8_192 });
  if (kind === 'choice')
    return selectField({
      ...field,
      options: [['', 'default'], ...options.map((one) => [one, one] as const)],
    });
  const lines = (field.value ?? '').split('\n').length + 1;
  return textArea({ ...field, rows: Math.min(MAX_LINES, Math.max(MIN_LINES, lines)) });
}
