import { hiddenFields, html, type Markup } from '@vestibule/http/pages';
import { JWT_MAX_LENGTH } from '@vestibule/tokens';
import { actionForm, textArea, textField } from '../../frame/forms.js';
import { joined } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';

/** Path of the page about a token. */
export const TOKEN_PATH = '/token';

/** Surrounding white space is not part of a token. */
const PASTED_LENGTH = JWT_MAX_LENGTH + 1_000;

/** Renders the form that takes a token. It never contains one. */
export function pasteForm(visit: Visit, error?: string): Markup | undefined {
  return actionForm(visit, {
    action: TOKEN_PATH,
    role: 'viewer',
    content: textArea({
      name: 'token',
      label: 'Access token',
      hint: 'As a client sends it, without “Bearer”. It is not stored, logged or shown again.',
      rows: 4,
      required: true,
      maxLength: PASTED_LENGTH,
      error,
    }),
    button: 'Explain the token',
  });
}

/** Renders the form that shows what a caller of the introspection endpoint gets. */
export function callerForm(
  visit: Visit,
  encrypted: string,
  { caller, error }: { readonly caller?: string | undefined; readonly error?: string | undefined },
): Markup | undefined {
  return actionForm(visit, {
    action: TOKEN_PATH,
    role: 'viewer',
    content: joined(
      html`${hiddenFields({ encrypted })}`,
      textField({
        name: 'caller',
        label: 'Client identifier of the resource server',
        value: caller,
        required: true,
        error,
      }),
    ),
    button: 'Show its response',
  });
}

/** Renders the form that tries again what a fault has interrupted. */
export function againForm(visit: Visit, encrypted: string, caller: string | undefined): Markup | undefined {
  return actionForm(visit, {
    action: TOKEN_PATH,
    role: 'viewer',
    content: html`${hiddenFields({ encrypted, caller })}`,
    button: 'Try again',
  });
}

/** Renders the form that revokes the token. */
export function revokeForm(visit: Visit, encrypted: string): Markup | undefined {
  return actionForm(visit, {
    action: `${TOKEN_PATH}/revoke`,
    role: 'operator',
    content: html`${hiddenFields({ encrypted })}`,
    button: 'Revoke this token',
    isDangerous: true,
  });
}
