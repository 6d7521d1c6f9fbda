import { html } from '@vestibule/http/pages';
import type { ConsolePage } from '../../frame/console-route.js';
import { actionForm, checkBox, type Field, selectField, textArea, textField } from '../../frame/forms.js';
import { joined, link } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { type EnteredIssue, type IssueField, type IssueProblems, RIGHTS } from './issue-form.js';

/** The page with the form of a new token. */
export interface ShownIssue {
  readonly path: string;
  /** The lifetime of a token for which none is entered. */
  readonly lifetimeSeconds: number;
  readonly entered: EnteredIssue;
  readonly problems?: IssueProblems;
}

/** Renders the page with the form of a new token. */
export function issuePage(
  visit: Visit,
  { path, lifetimeSeconds, entered, problems }: ShownIssue,
): ConsolePage {
  const field = (name: IssueField, label: string, hint?: string): Field => ({
    name,
    label,
    hint,
    value: entered[name],
    error: problems?.[name],
  });
  const boxes = RIGHTS.map(
    ([name, value, permitted]) =>
      html`${checkBox({ name, label: `${permitted}: ${value}`, isChecked: entered[name] !== undefined })}\n`,
  );
  const general = problems?.general;
  return {
    title: 'Issue an initial access token',
    status: problems === undefined ? 200 : 400,
    content: joined(
      actionForm(visit, {
        action: path,
        role: 'operator',
        content: html`${general === undefined ? undefined : html`<p class="alert" role="alert">${general}</p>\n`}<fieldset>
<legend>Its holder may register clients with</legend>
${boxes}</fieldset>
${textField(field('more_rights', 'Further rights', 'Scope values such as client-reg:scope:read, separated by spaces.'))}
${textField(field('uses', 'Registrations', 'How many it permits. Default: 1.'))}
${textField(field('lifetime', 'Lifetime in seconds', `A day has 86400. Default: ${lifetimeSeconds}.`))}
${textField(field('label', 'Label', 'A note for operators.'))}
${textArea(field('template', 'Template', 'Metadata as a JSON object, which every registration starts from.'))}
${selectField({
  ...field('format', 'Format', 'A gateway in front of the registration endpoint can read a JWT.'),
  options: [
    ['', 'identifier'],
    ['jwt', 'JWT'],
  ],
})}`,
        button: 'Issue',
      }),
      html`<p>${link('/initial-tokens', 'Back to the tokens')}</p>`,
    ),
  };
}
