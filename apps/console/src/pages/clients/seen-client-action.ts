import { DomainError } from '@vestibule/protocol';
import { type Static, Type } from 'typebox';
import { clientPath } from '../../frame/addresses.js';
import { type Confirmation, confirmedAction } from '../../frame/confirmed-action.js';
import {
  type ActionOutcome,
  type ActionRoute,
  type ConsolePage,
  type ConsoleRoute,
  consoleAction,
} from '../../frame/console-route.js';
import type { Role } from '../../frame/operator.js';
import { link } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { showClient } from './client-page.js';
import type { ClientsDeps } from './clients-deps.js';
import { findClient, findSeenClient, type SeenClient } from './find-client.js';
import { lockoutBy } from './login-client.js';

/** An action on the client that a page showed. */
export interface SeenClientAction {
  /** The end of the path, behind that of the client. */
  readonly name: string;
  readonly role: Role;
  readonly perform: (visit: Visit, seen: SeenClient) => Promise<ActionOutcome>;
}

/** An action on the client that a page showed, which has to be confirmed by typing. */
export interface ConfirmedClientAction extends SeenClientAction {
  /** Says what happens. */
  readonly describe: (visit: Visit, seen: SeenClient) => Promise<Omit<Confirmation, 'hidden' | 'back'>>;
}

/** The version that the page showed. */
const SeenClientForm = Type.Object({ version: Type.Optional(Type.String()) });

/**
 * Defines an action on a client that is carried out only in the version that the operator saw. Otherwise the page of the
 * client as it is now says so, and nothing is changed. What would end every login to the console is refused.
 */
export function seenClientAction(deps: ClientsDeps, { name, role, perform }: SeenClientAction): ActionRoute {
  return consoleAction({
    path: `/clients/:id/${name}`,
    role,
    form: SeenClientForm,
    perform: (visit, { version }) =>
      withSeenClient(deps, visit, { name, version, run: (seen) => perform(visit, seen) }),
  });
}

/** Defines an action like {@link seenClientAction} that cannot be undone. */
export function confirmedClientAction(
  deps: ClientsDeps,
  { name, role, describe, perform }: ConfirmedClientAction,
): readonly ConsoleRoute[] {
  return confirmedAction({
    path: `/clients/:id/${name}`,
    role,
    fields: SeenClientForm,
    describe: async (visit, given) => {
      const version = await versionOf(deps, visit, given);
      const run = async (seen: SeenClient): Promise<Confirmation> => {
        const { id } = seen.client;
        const confirmation = await describe(visit, seen);
        return { ...confirmation, hidden: { version }, back: link(clientPath(id), 'Back to the client') };
      };
      return withSeenClient(deps, visit, { name, version, run });
    },
    perform: (visit, { version }) =>
      withSeenClient(deps, visit, { name, version, run: (seen) => perform(visit, seen) }),
  });
}

/** A page that is opened without the version that was seen is about the current one. */
async function versionOf(
  deps: ClientsDeps,
  visit: Visit,
  { version }: Static<typeof SeenClientForm>,
): Promise<string | undefined> {
  if (version !== undefined || visit.request.method !== 'GET') return version;
  return String((await findClient(deps, visit)).version);
}

interface SeenRun<Result> {
  readonly name: string;
  readonly version: string | undefined;
  readonly run: (seen: SeenClient) => Promise<Result>;
}

async function withSeenClient<Result>(
  deps: ClientsDeps,
  visit: Visit,
  { name, version, run }: SeenRun<Result>,
): Promise<Result | ConsolePage> {
  try {
    const seen = await findSeenClient(deps, visit, version);
    const alert = lockoutBy(deps, seen.client, name);
    if (alert === undefined) return await run(seen);
    return await showClient(deps, visit, { client: seen.client, status: 409, alert });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'precondition_failed') throw error;
    return showClient(deps, visit, {
      client: await findClient(deps, visit),
      status: 409,
      alert:
        'The client has changed since you opened its page: nothing was done. See its history below, then decide again.',
    });
  }
}
