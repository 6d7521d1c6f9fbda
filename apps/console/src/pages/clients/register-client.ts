import { dryRunRegistration, operatorAuthority, registerClient } from '@vestibule/clients/registration';
import { html, type Markup } from '@vestibule/http/pages';
import type { JsonObject } from '@vestibule/protocol/json';
import { Type } from 'typebox';
import { clientPath } from '../../frame/addresses.js';
import {
  type ConsolePage,
  type ConsoleRoute,
  consoleAction,
  consolePage,
} from '../../frame/console-route.js';
import { actionForm } from '../../frame/forms.js';
import { joined, link, section } from '../../frame/parts.js';
import { sentText } from '../../frame/sent-text.js';
import type { Visit } from '../../frame/visit.js';
import type { ClientsDeps } from './clients-deps.js';
import { credentialsView } from './credentials-view.js';
import { CHECK_BUTTON } from './edit-page.js';
import {
  METADATA_FORM_FIELDS,
  type MetadataForm,
  type MetadataProblems,
  problemsOf,
  readForm,
  sentForm,
} from './metadata-form.js';
import { metadataFields } from './metadata-form-view.js';
import { membersTable } from './metadata-section.js';

const PATH = '/clients/-/register';

/** What only an admin may choose. */
const CHOSEN = ['preferred_client_id', 'preferred_client_secret'] as const;

const RegisterForm = Type.Object({ ...METADATA_FORM_FIELDS, step: Type.Optional(Type.String()) });

/** Registers a client, as `vestibule clients create` does, and shows its credentials once. */
export function registerClientRoutes(deps: ClientsDeps): readonly ConsoleRoute[] {
  return [
    consolePage({
      path: PATH,
      role: 'operator',
      query: Type.Object({}),
      show: async (visit) => registerPage(visit, { form: { fields: {}, rest: '' } }),
    }),
    consoleAction({
      path: PATH,
      role: 'operator',
      form: RegisterForm,
      perform: async (visit, sent) => {
        const form = sentForm(sent);
        const read = readForm(form);
        if ('problems' in read) return registerPage(visit, { form, problems: read.problems });
        // As for initial access tokens with these rights.
        if (CHOSEN.some((name) => Object.hasOwn(read.registration, name))) await visit.requireRole('admin');
        const input = { authority: operatorAuthority(visit.operator.actor), body: read.registration };
        try {
          if (sentText(sent, 'step') === 'check')
            return registerPage(visit, { form, checked: await dryRunRegistration(deps.registration, input) });
          const { information } = await registerClient(deps.registration, input);
          return registeredPage(information);
        } catch (error) {
          return registerPage(visit, { form, problems: problemsOf(error) });
        }
      },
    }),
  ];
}

interface ShownRegistration {
  readonly form: MetadataForm;
  readonly problems?: MetadataProblems;
  /** What would be registered, after a dry run. */
  readonly checked?: JsonObject;
}

function registerPage(visit: Visit, { form, problems, checked }: ShownRegistration): ConsolePage {
  return {
    title: 'Register a client',
    status: problems === undefined ? 200 : 400,
    content: joined(
      checked && section('What would be registered', membersOf(checked)),
      html`<p>With the role admin, the JSON may also contain preferred_client_id and preferred_client_secret. Otherwise they are generated.</p>`,
      actionForm(visit, {
        action: PATH,
        role: 'operator',
        content: metadataFields(form, problems),
        firstButtons: CHECK_BUTTON,
        button: 'Register',
      }),
      html`<p>${link('/clients', 'Back to the clients')}</p>`,
    ),
  };
}

function registeredPage(information: JsonObject): ConsolePage {
  const { client_id, client_secret, registration_access_token, ...registered } = information;
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    title: 'The client is registered',
    content: joined(
      credentialsView({
        'Client ID': textOf(client_id),
        'Client secret': textOf(client_secret),
        'Registration access token': textOf(registration_access_token),
      }),
      section('Registered', membersOf(registered)),
      html`<p>${link(clientPath(String(client_id)), 'Open its page')}</p>`,
    ),
  };
}

function membersOf(registered: JsonObject): Markup {
  return membersTable('Defaults included.', Object.entries(registered), 'No members.');
}
