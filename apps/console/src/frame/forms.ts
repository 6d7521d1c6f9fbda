import { html, type Markup } from '@vestibule/http/pages';
import { includesRole, type Role } from './operator.js';
import type { Visit } from './visit.js';

/** The name of the field with the form token. */
export const FORM_TOKEN = 'form_token';

/** A form of the console. */
export interface ActionForm {
  /** Path of the action. */
  readonly action: string;
  /** The role that the action requires: without it the form is not shown. */
  readonly role: Role;
  /** Fields. */
  readonly content?: Markup | undefined;
  /** Text of the button. */
  readonly button: string;
  /** Buttons before it. The first one is also pressed by the Enter key in a field. */
  readonly firstButtons?: Markup | undefined;
  /** What cannot be undone looks so. */
  readonly isDangerous?: boolean;
}

/** Renders a form with its form token, or nothing if the operator does not have the role. */
export function actionForm(
  { formToken, operator }: Visit,
  { action, role, content, button, firstButtons, isDangerous = false }: ActionForm,
): Markup | undefined {
  if (!includesRole(operator.role, role)) return undefined;
  return html`<form method="post" action="${action}">
<input type="hidden" name="${FORM_TOKEN}" value="${formToken}">
${content}
<div class="actions">${firstButtons}<button${isDangerous ? html` class="danger"` : undefined}>${button}</button></div>
</form>`;
}

/** A field of a form. */
export interface Field {
  /** Unique on its page. */
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  /** Shown below the field. */
  readonly hint?: string | undefined;
  /** What is wrong with the value; shown beside the field and announced. */
  readonly error?: string | undefined;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly autocomplete?: string;
}

/** Renders a text field with label, hint and error. */
export function textField(field: Field): Markup {
  const { name, value, required = false, maxLength = 2_000, autocomplete = 'off' } = field;
  return labelled(
    field,
    html`<input id="${name}" name="${name}" value="${value ?? ''}" maxlength="${String(maxLength)}" autocomplete="${autocomplete}" spellcheck="false"${required ? html` required` : undefined}${described(field)}>`,
  );
}

/** Renders a field of several lines. */
export function textArea(field: Field & { readonly rows?: number }): Markup {
  const { name, value, required = false, maxLength = 100_000, rows = 8 } = field;
  return labelled(
    field,
    html`<textarea id="${name}" name="${name}" rows="${String(rows)}" maxlength="${String(maxLength)}" spellcheck="false" autocomplete="off"${required ? html` required` : undefined}${described(field)}>
${value ?? ''}</textarea>`,
  );
}

/** Renders a choice of one value. */
export function selectField(
  field: Omit<Field, 'maxLength' | 'required'> & {
    /** Values with their texts; an empty value is none. */
    readonly options: readonly (readonly [value: string, text: string])[];
  },
): Markup {
  const { name, value = '', options } = field;
  const items = options.map(
    ([option, text]) =>
      html`<option value="${option}"${option === value ? html` selected` : undefined}>${text}</option>`,
  );
  return labelled(field, html`<select id="${name}" name="${name}"${described(field)}>${items}</select>`);
}

/** Renders a check box. Its value is `on`. */
export function checkBox({
  name,
  label,
  isChecked = false,
}: Pick<Field, 'name' | 'label'> & { readonly isChecked?: boolean }): Markup {
  return html`<div class="check"><input type="checkbox" id="${name}" name="${name}" value="on"${isChecked ? html` checked` : undefined}>
<label for="${name}">${label}</label></div>`;
}

/**
 * Renders the field for typing what an action is about, which guards actions that cannot be undone.
 * @param word what must be typed, exactly
 */
export function confirmationField(word: string, error?: string): Markup {
  return textField({
    name: 'confirmation',
    label: `To confirm, type ${word}`,
    required: true,
    maxLength: Math.max(255, word.length),
    error,
  });
}

function labelled(
  { name, label, hint, error }: Pick<Field, 'name' | 'label' | 'hint' | 'error'>,
  control: Markup,
): Markup {
  return html`<div class="field">
<label for="${name}">${label}</label>
${control}
${hint === undefined ? undefined : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error === undefined ? undefined : html`<p class="alert" id="${name}-error" role="alert">${error}</p>`}
</div>`;
}

function described({ name, hint, error }: Pick<Field, 'name' | 'hint' | 'error'>): Markup | undefined {
  const by = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(error === undefined ? [] : [`${name}-error`]),
  ];
  if (by.length === 0) return undefined;
  return html` aria-describedby="${by.join(' ')}"${error === undefined ? undefined : html` aria-invalid="true"`}`;
}
