import { html, type Markup } from '@vestibule/http/pages';
import type { FormErrors } from '../../frame/confirmed-action.js';
import { actionForm, textField } from '../../frame/forms.js';
import { joined } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { AUDIT_PATH } from './audit-deps.js';

/** Events that one request verifies, so that it ends soon however long the chain is. */
export const VERIFIED_EVENTS = 2_000;

/** What was typed into the form. */
export interface TypedVerification {
  readonly from?: string;
  readonly head?: string;
}

/** Renders the form that verifies a part of the chain. */
export function verifyForm(
  visit: Visit,
  { from, head }: TypedVerification,
  errors: FormErrors = {},
): Markup | undefined {
  return actionForm(visit, {
    action: `${AUDIT_PATH}/verify`,
    role: 'viewer',
    content: joined(
      html`<p class="hint">${VERIFIED_EVENTS.toLocaleString('en')} events are verified at once. The whole chain: vestibule audit verify.</p>`,
      textField({
        name: 'position',
        label: 'First position',
        hint: 'Without one, the newest events are verified.',
        value: from,
        error: errors['position'],
      }),
      textField({
        name: 'head',
        label: 'A recorded head',
        hint: 'position:hash, as the services log it. Only with one is it noticed that the end of the chain was cut off.',
        value: head,
        error: errors['head'],
      }),
    ),
    button: 'Verify the chain',
  });
}
