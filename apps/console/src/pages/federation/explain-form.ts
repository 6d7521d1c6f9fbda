import { html, type Markup } from '@vestibule/http/pages';
import { actionForm, selectField, textField } from '../../frame/forms.js';
import { joined, section } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';

/** Path of the action that explains an entity. */
export const EXPLAIN_PATH = '/federation/explain';

/** Profiles in which statements may be read, with their texts. */
export const PROFILES = [
  ['final', 'OpenID Federation 1.0'],
  ['draft', 'Earlier drafts'],
] as const;

/** What the form shows. */
export interface ExplainFormContent {
  readonly entity?: string | undefined;
  readonly profile?: string | undefined;
  /** What is wrong with the identifier. */
  readonly entityError?: string | undefined;
  readonly profileError?: string | undefined;
}

/** Renders the form that asks why an entity is trusted or not. */
export function explainForm(visit: Visit, content: ExplainFormContent): Markup {
  const { entity, profile, entityError, profileError } = content;
  return section(
    'Explain an entity',
    joined(
      html`<p>Shows every path from an entity to a trust anchor, why each one is valid or not, and what would be registered. The statements are fetched now; nothing is registered.</p>`,
      actionForm(visit, {
        action: EXPLAIN_PATH,
        role: 'viewer',
        button: 'Explain',
        content: joined(
          textField({
            name: 'entity',
            label: 'Entity identifier',
            value: entity,
            hint: 'As https://rp.example.org',
            error: entityError,
            required: true,
            maxLength: 2_048,
          }),
          selectField({
            name: 'profile',
            label: 'Profile',
            value: profile ?? 'final',
            options: PROFILES,
            error: profileError,
          }),
        ),
      }),
    ),
  );
}
