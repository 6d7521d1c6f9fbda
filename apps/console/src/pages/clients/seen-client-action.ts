import { DomainError } from '@vestibule/protocol';
import { Type } from 'typebox';
import { type ActionOutcome, type ActionRoute, consoleAction } from '../../frame/console-route.js';
import type { Role } from '../../frame/operator.js';
import type { Visit } from '../../frame/visit.js';
import { showClient } from './client-page.js';
import type { ClientsDeps } from './clients-deps.js';
import { findClient, findSeenClient, type SeenClient } from './find-client.js';

/** An action on the client that a page showed. */
export interface SeenClientAction {
  /** The end of the path, behind that of the client. */
  readonly name: string;
  readonly role: Role;
  /** Carries the action out. What was typed to confirm it is absent if its form asks for nothing. */
  readonly perform: (
    visit: Visit,
    seen: SeenClient,
    confirmation: string | undefined,
  ) => Promise<ActionOutcome>;
}

/** The version that the page showed, and what was typed to confirm the action. */
const SeenClientForm = Type.Object({
  version: Type.Optional(Type.String()),
  confirmation: Type.Optional(Type.String()),
});

/**
 * Defines an action on a client that is carried out only in the version that the operator saw. Otherwise the page of the
 * client as it is now says so, and nothing is changed.
 */
export function seenClientAction(deps: ClientsDeps, { name, role, perform }: SeenClientAction): ActionRoute {
  return consoleAction({
    path: `/clients/:id/${name}`,
    role,
    form: SeenClientForm,
    perform: async (visit, { version, confirmation }) => {
      try {
        return await perform(visit, await findSeenClient(deps, visit, version), confirmation);
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'precondition_failed') throw error;
        return showClient(deps, visit, {
          client: await findClient(deps, visit),
          status: 409,
          alert:
            'The client has changed since you opened its page: nothing was done. See its history below, then decide again.',
        });
      }
    },
  });
}
