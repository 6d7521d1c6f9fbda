import { CLIENT_ORIGINS, CLIENT_STATUSES } from '@vestibule/clients';
import { html, type Markup } from '@vestibule/http/pages';
import { GRANT_TYPES } from '@vestibule/protocol/constants';
import { type Field, selectField, textField } from '../../frame/forms.js';
import { link } from '../../frame/parts.js';
import { TIME_HINT } from '../../frame/time-text.js';
import type { ClientSearch, SearchField } from './client-search.js';
import { ORIGIN_WORDS, STATUS_WORDS } from './client-words.js';

const ANY = ['', 'any'] as const;

/** Renders the form of the search, with what was entered and what is wrong with it. */
export function clientSearchForm({ entered, problems }: ClientSearch): Markup {
  const field = (name: SearchField, label: string, hint?: string): Field => ({
    name,
    label,
    hint,
    value: entered[name],
    error: problems[name],
  });
  const grantTypes = GRANT_TYPES.map((one) => [one, one] as const);
  const { grant_type: other } = entered;
  const isOther = other !== undefined && !grantTypes.some(([one]) => one === other);
  return html`<form method="get" action="/clients" role="search" aria-label="Clients">
<div class="filters">
${textField(field('name', 'Name'))}
${selectField({
  ...field('match', 'The name'),
  options: [
    ['', 'contains this'],
    ['start', 'begins with this'],
  ],
})}
${textField(field('client_id', 'Client ID'))}
${selectField({ ...field('status', 'Status'), options: [ANY, ...CLIENT_STATUSES.map((one) => [one, STATUS_WORDS[one]] as const)] })}
${selectField({ ...field('origin', 'Origin'), options: [ANY, ...CLIENT_ORIGINS.map((one) => [one, ORIGIN_WORDS[one]] as const)] })}
${selectField({ ...field('grant_type', 'Grant type'), options: [ANY, ...grantTypes, ...(isOther ? [[other, other] as const] : [])] })}
${textField(field('redirect_uri', 'Redirect URI', 'Character by character.'))}
${textField(field('contact', 'Contact', 'The whole contact.'))}
${textField(field('software_id', 'Software ID'))}
${textField(field('issued_after', 'Issued after', TIME_HINT))}
${textField(field('issued_before', 'Issued before'))}
</div>
<div class="actions"><button>Search</button>${Object.keys(entered).length === 0 ? undefined : link('/clients', 'Clear')}</div>
</form>
`;
}
