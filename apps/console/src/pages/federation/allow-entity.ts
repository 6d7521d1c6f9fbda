import type { EntityId } from '@vestibule/federation';
import { html } from '@vestibule/http/pages';
import { DomainError, nowSeconds } from '@vestibule/protocol';
import { Type } from 'typebox';
import type { ConsoleDeps } from '../../deps.js';
import {
  type ConsolePage,
  type ConsoleRoute,
  consoleAction,
  consolePage,
} from '../../frame/console-route.js';
import { actionForm, confirmationField } from '../../frame/forms.js';
import { joined, section } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { entityText, foreignText } from './foreign-text.js';
import { confirmationWord, entityField, NO_CONFIRMATION, requireEntity } from './named-entity.js';

/** Path of the page and the action that remove an entity from the deny list. */
export const ALLOW_PATH = '/federation/allow';

type AllowanceDeps = Pick<ConsoleDeps, 'store'>;

/** The page and the action that let a denied entity register again. */
export function allowRoutes({ store }: AllowanceDeps): readonly ConsoleRoute[] {
  const { database, clock } = store;
  return [
    consolePage({
      path: ALLOW_PATH,
      role: 'admin',
      query: Type.Object({ entity: Type.Optional(Type.String()) }),
      show: (visit, { entity = '' }) => allowPage({ store }, visit, { entityId: requireEntity(entity) }),
    }),
    consoleAction({
      path: ALLOW_PATH,
      role: 'admin',
      form: Type.Object({
        entity: Type.Optional(Type.String()),
        confirmation: Type.Optional(Type.String()),
      }),
      perform: async (visit, { entity = '', confirmation }) => {
        const entityId = requireEntity(entity);
        if (confirmation !== confirmationWord(entityId)) {
          const page = await allowPage({ store }, visit, { entityId, confirmationError: NO_CONFIRMATION });
          return { ...page, status: 400 };
        }
        const { actor } = visit.operator;
        if (!(await database.federation.allow(entityId, { actor, now: nowSeconds(clock) })))
          throw notDenied();
        return { goTo: '/federation', notice: 'allowed' };
      },
    }),
  ];
}

async function allowPage(
  { store: { database } }: AllowanceDeps,
  visit: Visit,
  { entityId, confirmationError }: { readonly entityId: EntityId; readonly confirmationError?: string },
): Promise<ConsolePage> {
  const entry = (await database.federation.denied()).find((other) => other.entityId === entityId);
  if (entry === undefined) throw notDenied();
  return {
    title: 'Allow an entity',
    content: joined(
      section(
        'What happens',
        html`<p>${entityText(entityId)} is removed from the deny list and can register again. Deleted clients are not restored.</p>
${entry.reason === undefined ? undefined : html`<p>It was denied for this reason: ${foreignText(entry.reason)}</p>`}`,
      ),
      actionForm(visit, {
        action: ALLOW_PATH,
        role: 'admin',
        button: 'Allow the entity',
        isDangerous: true,
        content: joined(
          entityField(entityId),
          confirmationField(confirmationWord(entityId), confirmationError),
        ),
      }),
    ),
  };
}

function notDenied(): DomainError {
  return new DomainError('not_found', 'This entity is not denied.');
}
