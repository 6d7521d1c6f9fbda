import { html } from '@vestibule/http/pages';
import { DomainError, nowSeconds } from '@vestibule/protocol';
import { Type } from 'typebox';
import type { ConsoleDeps } from '../../deps.js';
import { confirmationWord } from '../../frame/confirmation-word.js';
import { confirmedAction } from '../../frame/confirmed-action.js';
import type { ConsoleRoute } from '../../frame/console-route.js';
import { link } from '../../frame/parts.js';
import { entityText, foreignText } from './foreign-text.js';
import { requireEntity } from './named-entity.js';

/** Path of the page and the action that remove an entity from the deny list. */
export const ALLOW_PATH = '/federation/allow';

type AllowanceDeps = Pick<ConsoleDeps, 'store'>;

/** The page and the action that let a denied entity register again. */
export function allowRoutes({ store }: AllowanceDeps): readonly ConsoleRoute[] {
  const { database, clock } = store;
  return confirmedAction({
    path: ALLOW_PATH,
    role: 'admin',
    fields: Type.Object({ entity: Type.Optional(Type.String()) }),
    describe: async (_visit, { entity = '' }) => {
      const entityId = requireEntity(entity);
      const entry = (await database.federation.denied()).find((other) => other.entityId === entityId);
      if (entry === undefined) throw notDenied();
      return {
        title: 'Allow an entity',
        content: html`<p>${entityText(entityId)} is removed from the deny list and can register again. Deleted clients are not restored.</p>
${entry.reason === undefined ? undefined : html`<p>It was denied for this reason: ${foreignText(entry.reason)}</p>`}`,
        word: confirmationWord(entityId),
        button: 'Allow the entity',
        hidden: { entity },
        back: link('/federation', 'Go to the federation'),
      };
    },
    perform: async ({ operator: { actor } }, { entity = '' }) => {
      const by = { actor, now: nowSeconds(clock) };
      if (!(await database.federation.allow(requireEntity(entity), by))) throw notDenied();
      return { goTo: '/federation', notice: 'allowed' };
    },
  });
}

function notDenied(): DomainError {
  return new DomainError('not_found', 'This entity is not denied.');
}
