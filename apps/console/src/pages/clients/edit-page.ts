import type { Client } from '@vestibule/clients';
import { hiddenFields, html } from '@vestibule/http/pages';
import { clientPath } from '../../frame/addresses.js';
import type { ConsolePage } from '../../frame/console-route.js';
import { differenceTable, type MemberDifference } from '../../frame/difference.js';
import { actionForm } from '../../frame/forms.js';
import { joined, link, section } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { titleOfClient } from './client-words.js';
import { credentialsView } from './credentials-view.js';
import { type MetadataForm, type MetadataProblems, registrationOf } from './metadata-form.js';
import { metadataFields } from './metadata-form-view.js';
import { writeOpened } from './opened-registration.js';

/** What the page with the form of a client shows. */
export interface ShownEdit {
  readonly form: MetadataForm;
  readonly problems?: MetadataProblems;
  /** What would change, after a dry run. */
  readonly changes?: readonly MemberDifference[];
  /** Whether saving would end the secret of the client, after a dry run. Default false. */
  readonly endsSecret?: boolean;
  /** The version and registration that the form was opened with. Default: those of the client. */
  readonly sent?: { readonly version?: string | undefined; readonly opened?: string | undefined };
}

/** The button that only checks. */
export const CHECK_BUTTON = html`<button name="step" value="check" class="other">Check</button>\n`;

/** Renders the page with the form of a client. */
export function editPage(visit: Visit, client: Client, shown: ShownEdit): ConsolePage {
  const { form, problems, changes, endsSecret = false, sent } = shown;
  const { version = String(client.version), opened = writeOpened(registrationOf(client)) } = sent ?? {};
  return {
    title: `Edit ${titleOfClient(client)}`,
    status: problems === undefined ? 200 : 400,
    content: joined(
      changes &&
        section(
          'What saving would change',
          joined(
            endsSecret
              ? html`<p class="alert">Saving ends the current secret. You confirm this on the next page.</p>`
              : undefined,
            differenceTable('Nothing was changed yet.', changes),
          ),
        ),
      html`<p>Its registration access token stays the same, and so does its secret, unless the metadata need none or another one. An empty field means the default.</p>`,
      actionForm(visit, {
        action: clientPath(client.id, 'edit'),
        role: 'operator',
        content: html`${hiddenFields({ version, opened })}${metadataFields(form, problems)}`,
        firstButtons: CHECK_BUTTON,
        button: 'Save',
      }),
      html`<p>${link(clientPath(client.id), 'Back to the client')}</p>`,
    ),
  };
}

/** Renders the page after a change by which the client got a secret. */
export function savedSecretPage(client: Client, secret: string): ConsolePage {
  return {
    title: 'Saved, with a new secret',
    content: joined(
      html`<p>The metadata of ${link(clientPath(client.id), titleOfClient(client))} were saved. The change requires a new secret.</p>`,
      credentialsView({ 'Client ID': client.id, 'Client secret': secret }),
    ),
  };
}
