import type { Client } from '@vestibule/clients';
import { hiddenFields, html, type Markup } from '@vestibule/http/pages';
import { isSameJson, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import { clientPath } from '../../frame/addresses.js';
import type { ConsolePage } from '../../frame/console-route.js';
import { differences, differenceTable } from '../../frame/difference.js';
import { actionForm } from '../../frame/forms.js';
import { joined, link, section } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { titleOfClient } from './client-words.js';
import { formOf, registrationOf } from './metadata-form.js';
import { writeOpened } from './opened-registration.js';

/** An edit of a client that another operator has changed in the meantime. */
export interface EditConflict {
  /** The client as it is now. */
  readonly client: Client;
  /** The registration that was entered. */
  readonly entered: JsonObject;
  /** The registration that the form was opened with, if it carried that. */
  readonly opened?: JsonObject | undefined;
}

/**
 * Renders the choice of the second of two operators. Each choice leads to a dry run first, so that the operator sees what
 * would be saved.
 */
export function conflictPage(visit: Visit, { client, entered, opened }: EditConflict): ConsolePage {
  const present = registrationOf(client);
  const choice = (registration: JsonObject, button: string) =>
    choiceForm(visit, client, { registration, button });
  return {
    title: `${titleOfClient(client)} has changed in the meantime`,
    status: 409,
    content: joined(
      html`<p role="alert">Nothing was saved: the client was changed after you opened the form. ${link(clientPath(client.id, 'history'), 'Its history')} says by whom.</p>`,
      opened &&
        section('Their change', differenceTable('Since you opened the form.', differences(opened, present))),
      opened && section('Your change', differenceTable('What you entered.', differences(opened, entered))),
      section(
        'Your form beside the client as it is now',
        differenceTable('Before: as it is now. After: as you entered it.', differences(present, entered)),
      ),
      section(
        'Choose',
        html`<div class="actions">
${opened && choice(withChange(present, { opened, entered }), 'Keep their change and add mine')}
${choice(entered, 'Replace theirs by my form')}
</div>
<p>Both are checked first, and saved only when you say so.</p>
<p>${link(clientPath(client.id), 'Keep theirs: discard mine')}</p>`,
      ),
    ),
  };
}

/** Applies the members that an operator changed to the present registration. */
function withChange(
  present: JsonObject,
  { opened, entered }: { readonly opened: JsonObject; readonly entered: JsonObject },
): JsonObject {
  const changed = new Map<string, JsonValue>(Object.entries(present));
  for (const name of new Set([...Object.keys(opened), ...Object.keys(entered)])) {
    const value = entered[name];
    if (isSameJson(opened[name], value)) continue;
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
  }
  return Object.fromEntries(changed);
}

function choiceForm(
  visit: Visit,
  client: Client,
  { registration, button }: { readonly registration: JsonObject; readonly button: string },
): Markup | undefined {
  const { fields, rest } = formOf(registration);
  const opened = writeOpened(registrationOf(client));
  return actionForm(visit, {
    action: clientPath(client.id, 'edit'),
    role: 'operator',
    content: html`${hiddenFields({ ...fields, rest, version: String(client.version), opened, step: 'check' })}`,
    button,
  });
}
