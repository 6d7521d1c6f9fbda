import {
  isDataRing,
  keyPairPurpose,
  type NewKey,
  RING_NAMES,
  type Ring,
  ringAlgorithms,
} from '@vestibule/crypto/key-rings';
import { html } from '@vestibule/http/pages';
import { DomainError } from '@vestibule/protocol';
import { Type } from 'typebox';
import { confirmedAction } from '../../frame/confirmed-action.js';
import type { ConsoleRoute } from '../../frame/console-route.js';
import { selectField } from '../../frame/forms.js';
import { changesBy } from './key-lookup.js';
import { RINGS, SETTLE_TEXT } from './key-words.js';
import { KEYS_PATH, type KeysPagesDeps } from './keys-deps.js';

/** The page and the action that create a pending key. */
export function createKey(deps: KeysPagesDeps): readonly ConsoleRoute[] {
  return confirmedAction({
    path: `${KEYS_PATH}/new`,
    role: 'admin',
    fields: Type.Object({
      ring: Type.Optional(Type.String()),
      algorithm: Type.Optional(Type.String()),
    }),
    describe: async (_visit, { ring: name, algorithm }, errors) => {
      const ring = ringOf(name);
      return {
        title: `Create a key of the ring ${ring}`,
        content: html`<p>${RINGS[ring]} The key is pending: every process loads it, and publishes it if it is a key pair, before it can be activated. ${waitOf(ring)}</p>`,
        word: ring,
        button: 'Create the key',
        fields: isDataRing(ring)
          ? undefined
          : selectField({
              name: 'algorithm',
              label: 'Algorithm',
              value: algorithm,
              options: [['', 'choose one'], ...ringAlgorithms(ring).map((each) => [each, each] as const)],
              error: errors['algorithm'],
            }),
        hidden: { ring },
      };
    },
    perform: async (visit, { ring: name, algorithm }) => {
      const wanted = newKey(ringOf(name), algorithm);
      if (wanted === undefined) return { errors: { algorithm: 'Choose an algorithm of the ring.' } };
      await changesBy(deps, visit).add(wanted);
      return { goTo: KEYS_PATH, notice: 'created' };
    },
  });
}

function ringOf(name: string | undefined): Ring {
  const ring = RING_NAMES.find((each) => each === name);
  if (ring === undefined) throw new DomainError('not_found', 'There is no such ring.');
  return ring;
}

function newKey(ring: Ring, algorithm: string | undefined): NewKey | undefined {
  if (isDataRing(ring)) return { kind: 'data', purpose: ring };
  const purpose = keyPairPurpose(ring, algorithm);
  return purpose && { kind: 'signing', purpose };
}

function waitOf(ring: Ring): string {
  if (isDataRing(ring)) return `That takes ${SETTLE_TEXT}.`;
  return ring === 'federation'
    ? 'The superiors have to list it before it is activated.'
    : 'That takes as long as copies of the published keys may be cached.';
}
