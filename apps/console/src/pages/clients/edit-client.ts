import type { Client } from '@vestibule/clients';
import {
  changeClient,
  keepingCredentials,
  previewUpdate,
  type UpdatePreview,
} from '@vestibule/clients/management';
import { DomainError } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { Type } from 'typebox';
import { clientPath } from '../../frame/addresses.js';
import { confirmationWord } from '../../frame/confirmation-word.js';
import {
  type ActionOutcome,
  type ConsoleRoute,
  consoleAction,
  consolePage,
} from '../../frame/console-route.js';
import { differences, type MemberDifference } from '../../frame/difference.js';
import { sentText } from '../../frame/sent-text.js';
import type { Visit } from '../../frame/visit.js';
import type { ClientsDeps } from './clients-deps.js';
import { conflictPage } from './conflict-page.js';
import { editPage, savedSecretPage } from './edit-page.js';
import { findClient } from './find-client.js';
import { isLoginClient } from './login-client.js';
import { lockoutsByEdit } from './login-client-edit.js';
import {
  formOf,
  METADATA_FORM_FIELDS,
  type MetadataForm,
  type MetadataProblems,
  memberProblems,
  problemsOf,
  readForm,
  registrationOf,
  sentForm,
} from './metadata-form.js';
import { readOpened } from './opened-registration.js';
import { holdsSecret } from './secret-end.js';
import { CONFIRM_STEP, secretEndPage } from './secret-end-page.js';
import { readingSectorsOnce } from './sector-documents-once.js';

const EditForm = Type.Object({
  ...METADATA_FORM_FIELDS,
  version: Type.Optional(Type.String()),
  opened: Type.Optional(Type.String()),
  step: Type.Optional(Type.String()),
  confirmation: Type.Optional(Type.String()),
});

/**
 * Changes the metadata of a client, as `vestibule clients update` does, after a dry run if it is wanted. A change that ends
 * the secret of the client, which cannot be undone, has to be confirmed by typing.
 */
export function editClientRoutes(deps: ClientsDeps): readonly ConsoleRoute[] {
  return [
    consolePage({
      path: '/clients/:id/edit',
      role: 'operator',
      query: Type.Object({}),
      show: async (visit) => {
        const client = await findClient(deps, visit);
        return editPage(visit, client, { form: formOf(registrationOf(client)) });
      },
    }),
    consoleAction({
      path: '/clients/:id/edit',
      role: 'operator',
      form: EditForm,
      perform: async (visit, entered) => {
        const client = await findClient(deps, visit);
        const form = sentForm(entered);
        const sent = { version: sentText(entered, 'version'), opened: sentText(entered, 'opened') };
        const read = readForm(form);
        if ('problems' in read) return editPage(visit, client, { form, problems: read.problems, sent });
        const edit: Edit = { client, form, registration: read.registration, sent };
        if (String(client.version) !== sent.version) return conflict(visit, edit);
        const step = sentText(entered, 'step');
        try {
          if (step === 'check') return await check(deps, visit, edit);
          const confirmation = sentText(entered, 'confirmation') ?? '';
          const typed = step === CONFIRM_STEP ? confirmation : undefined;
          return await save(readingSectorsOnce(deps), visit, edit, typed);
        } catch (error) {
          if (error instanceof DomainError && error.code === 'precondition_failed')
            return conflict(visit, { ...edit, client: await findClient(deps, visit) });
          return editPage(visit, client, { form, problems: problemsOf(error), sent });
        }
      },
    }),
  ];
}

/** An edit of a client. */
interface Edit {
  /** The client as it is now. */
  readonly client: Client;
  readonly form: MetadataForm;
  /** What is in the form. */
  readonly registration: JsonObject;
  readonly sent: { readonly version?: string | undefined; readonly opened?: string | undefined };
}

async function check(deps: ClientsDeps, visit: Visit, edit: Edit): Promise<ActionOutcome> {
  const { client, form, sent } = edit;
  const { changes, secretEnd } = await previewOf(deps, visit, edit);
  const problems = lockoutProblems(deps, client, changes);
  const endsSecret = secretEnd !== undefined;
  return editPage(visit, client, { form, sent, ...(problems ? { problems } : { changes, endsSecret }) });
}

/** What an edit would change, after a dry run. */
interface EditPreview extends Pick<UpdatePreview, 'secretEnd'> {
  readonly changes: readonly MemberDifference[];
}

async function previewOf(
  { registration: deps }: ClientsDeps,
  { operator: { actor: operator } }: Visit,
  { client, registration }: Edit,
): Promise<EditPreview> {
  const { id } = client;
  const body = { ...registration, client_id: id };
  const preview = await previewUpdate(keepingCredentials(deps), { id, operator, body });
  const { client_id: _, ...registered } = preview.registration;
  return { changes: differences(registrationOf(client), registered), secretEnd: preview.secretEnd };
}

/** What is wrong with a change after which no login to the console would be possible. */
function lockoutProblems(
  deps: ClientsDeps,
  client: Client,
  changes: readonly MemberDifference[],
): MetadataProblems | undefined {
  if (deps.loginClient === undefined || !isLoginClient(deps, client)) return undefined;
  const lockouts = Object.entries(lockoutsByEdit(deps.loginClient, changes));
  return lockouts.length === 0 ? undefined : memberProblems(lockouts);
}

/** @param confirmation what was typed on the page that asks for it; absent if that was not shown yet */
async function save(
  deps: ClientsDeps,
  visit: Visit,
  edit: Edit,
  confirmation: string | undefined,
): Promise<ActionOutcome> {
  const { client, form, sent } = edit;
  if (!holdsSecret(client) && !isLoginClient(deps, client)) return saveChecked(deps, visit, edit);
  const { changes, secretEnd } = await previewOf(deps, visit, edit);
  const problems = lockoutProblems(deps, client, changes);
  if (problems !== undefined) return editPage(visit, client, { form, sent, problems });
  if (secretEnd === undefined || confirmation === confirmationWord(client.id))
    return saveChecked(deps, visit, edit);
  return secretEndPage(deps, visit, { client, form, sent, changes, secretEnd, confirmation });
}

async function saveChecked(
  { registration: deps }: ClientsDeps,
  visit: Visit,
  edit: Edit,
): Promise<ActionOutcome> {
  const { id, version, secret } = edit.client;
  const { information } = await changeClient(keepingCredentials(deps), {
    id,
    operator: visit.operator.actor,
    // Called again if the client has changed in the meantime.
    change: (client) => {
      if (client.version !== version)
        throw new DomainError('precondition_failed', 'The client has changed in the meantime.');
      return edit.registration;
    },
  });
  const { client_secret: next } = information;
  const isKept = secret !== undefined && deps.digester.matches('client-secret', String(next), secret.digest);
  return typeof next !== 'string' || isKept
    ? { goTo: clientPath(id), notice: 'saved' }
    : savedSecretPage(edit.client, next);
}

function conflict(visit: Visit, { client, registration, sent }: Edit): ActionOutcome {
  return conflictPage(visit, { client, entered: registration, opened: readOpened(sent.opened) });
}
