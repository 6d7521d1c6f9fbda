import type { Client } from '@vestibule/clients';
import type { UpdatePreview } from '@vestibule/clients/management';
import { hiddenFields, html } from '@vestibule/http/pages';
import { clientPath } from '../../frame/addresses.js';
import { confirmationWord, OTHER_WORD } from '../../frame/confirmation-word.js';
import type { ConsolePage } from '../../frame/console-route.js';
import { differenceTable, type MemberDifference } from '../../frame/difference.js';
import { actionForm, confirmationField } from '../../frame/forms.js';
import { joined, link, section } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { titleOfClient } from './client-words.js';
import type { ClientsDeps } from './clients-deps.js';
import type { MetadataForm } from './metadata-form.js';
import { whenSecretEnds } from './secret-end.js';

/** The step of the form on this page. */
export const CONFIRM_STEP = 'confirm';

/** An edit that ends the secret of a client. */
export interface SecretEndingEdit {
  readonly client: Client;
  readonly form: MetadataForm;
  /** The version and registration that the form was opened with. */
  readonly sent: { readonly version?: string | undefined; readonly opened?: string | undefined };
  readonly changes: readonly MemberDifference[];
  readonly secretEnd: NonNullable<UpdatePreview['secretEnd']>;
  /** What was typed here, but is not what has to be typed; absent if the page was not shown yet. */
  readonly confirmation: string | undefined;
}

/** Renders the page that asks for a confirmation before an edit ends the secret of a client. Nothing is saved yet. */
export function secretEndPage(deps: ClientsDeps, visit: Visit, edit: SecretEndingEdit): ConsolePage {
  const { client, form, sent, changes, secretEnd, confirmation } = edit;
  const error = confirmation === undefined ? undefined : OTHER_WORD;
  const sentence =
    secretEnd === 'dropped'
      ? 'With these metadata the client needs no secret. The current one stops working at once, and cannot be restored.'
      : `With these metadata the client needs another secret, which the next page shows once: give it to the operator of the client. ${whenSecretEnds(deps, client)}, and cannot be restored.`;
  return {
    title: `End the secret of ${titleOfClient(client)}`,
    status: error === undefined ? 200 : 400,
    content: joined(
      section('What happens', html`<p>${sentence} Nothing was saved yet.</p>`),
      section('What saving would change', differenceTable('Beside the secret.', changes)),
      actionForm(visit, {
        action: clientPath(client.id, 'edit'),
        role: 'operator',
        content: html`${hiddenFields({ ...form.fields, rest: form.rest, ...sent, step: CONFIRM_STEP })}${confirmationField(confirmationWord(client.id), error)}`,
        button: 'Save and end the secret',
        isDangerous: true,
      }),
      html`<p>${link(clientPath(client.id), 'Back to the client: discard the changes')}</p>`,
    ),
  };
}
