import { keyRecord, type ListedKey, type Publication } from '@vestibule/crypto/key-rings';
import { KeyStateError } from '@vestibule/crypto/signing-keys';
import { html, type Markup } from '@vestibule/http/pages';
import { type Static, Type } from 'typebox';
import {
  type Confirmation,
  type ConfirmedDefinition,
  confirmedAction,
  type FormErrors,
  type RefusedForm,
} from '../../frame/confirmed-action.js';
import type { ActionOutcome, ConsolePage, ConsoleRoute } from '../../frame/console-route.js';
import { selectField, textField } from '../../frame/forms.js';
import { joined } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { lockoutByRetirement } from './digest-key-lockout.js';
import { changesBy, confirmationWord, requireKey } from './key-lookup.js';
import { showKey } from './key-page.js';
import { stepText } from './key-words.js';
import { KEYS_PATH, type KeysPagesDeps } from './keys-deps.js';

const Fields = Type.Object({
  /** The state that the person saw. */
  seen: Type.Optional(Type.String()),
  published_days: Type.Optional(Type.String()),
  when: Type.Optional(Type.String()),
});

type TypedChange = Static<typeof Fields>;

/** The pages and actions that activate and retire a key. */
export function changeKey(deps: KeysPagesDeps): readonly ConsoleRoute[] {
  return [
    ...change(deps, {
      name: 'activate',
      title: 'Activate a key',
      button: 'Activate the key',
      notice: 'activated',
      sentence: ({ kind }) =>
        kind === 'signing'
          ? 'It replaces the active key of the same ring and algorithm, which is retired and stays published for a while.'
          : 'It replaces the active key of its ring. What is encrypted under the previous seal key can still be decrypted, and what is digested under the previous digest key still matches until that key is retired.',
      perform: (visit, listed, publication) => changesBy(deps, visit).activate(listed, publication),
    }),
    ...change(deps, {
      name: 'retire',
      title: 'Retire a key',
      button: 'Retire the key',
      notice: 'retired',
      sentence: ({ kind, key }) => {
        if (kind === 'signing')
          return 'When it is no longer published, what it signed does not verify any more.';
        return key.purpose === 'seal'
          ? 'It is not used for new secrets any more; what is encrypted under it can still be decrypted.'
          : 'Nothing that is stored under it matches any more: tokens, secrets and sessions are lost.';
      },
      refusal: (listed) => lockoutByRetirement(deps, listed),
      perform: (visit, listed, publication) => changesBy(deps, visit).retire(listed, publication),
    }),
  ];
}

interface KeyChange {
  readonly name: 'activate' | 'retire';
  readonly title: string;
  readonly button: string;
  readonly notice: string;
  readonly sentence: (listed: ListedKey) => string;
  /** Says why it is refused; `undefined` if it is not. */
  readonly refusal?: (listed: ListedKey) => Promise<string | undefined>;
  readonly perform: (visit: Visit, listed: ListedKey, publication: Publication) => Promise<void>;
}

function change(deps: KeysPagesDeps, given: KeyChange): readonly ConsoleRoute[] {
  const { name, title, button, notice, sentence, refusal, perform } = given;
  const describe: ConfirmedDefinition<typeof Fields>['describe'] = async (
    visit,
    typed,
    errors,
  ): Promise<Confirmation | ConsolePage> => {
    const found = await requireKey(deps, visit);
    const { listed, step } = found;
    const reason = await refusal?.(listed);
    if (reason !== undefined) return showKey(deps, visit, found, reason);
    const { id, ring, algorithm, state } = keyRecord(listed);
    return {
      title,
      content: html`<p>The key <code>${id}</code> of the ring ${ring}${algorithm === undefined ? '' : ` (${algorithm})`} is ${state}. ${sentence(listed)}</p>
<p>Next: ${stepText(step, deps.store.clock)}</p>`,
      word: confirmationWord(listed),
      button,
      fields: listed.kind === 'signing' ? publicationFields(typed, errors) : undefined,
      hidden: { seen: state },
    };
  };
  return confirmedAction({
    path: `${KEYS_PATH}/:id/${name}`,
    role: 'admin',
    fields: Fields,
    describe,
    perform: async (visit, typed): Promise<ActionOutcome | RefusedForm> => {
      const { listed } = await requireKey(deps, visit);
      const { state } = listed.key;
      if (typed.seen !== state) return refused(`The key is ${state} by now. Nothing was changed.`);
      const publication = readPublication(typed);
      if ('errors' in publication) return publication;
      try {
        await perform(visit, listed, publication);
      } catch (error) {
        if (error instanceof KeyStateError) return refused(`${error.message}.`);
        throw error;
      }
      return { goTo: KEYS_PATH, notice };
    },
  });
}

function refused(general: string): RefusedForm {
  return { errors: { general }, status: 409 };
}

const DAY_S = 86_400;
const DEFAULT_DAYS = '30';
const MAX_DAYS = 3_650;
const DAYS = /^\d{1,4}$/;

function readPublication({
  published_days: days = DEFAULT_DAYS,
  when = 'safe',
}: TypedChange): Publication | RefusedForm {
  const count = DAYS.test(days) ? Number(days) : Number.NaN;
  const errors = {
    ...(!(count <= MAX_DAYS) && { published_days: `It must be a whole number from 0 to ${MAX_DAYS}.` }),
    ...(when !== 'safe' && when !== 'at-once' && { when: 'Choose one of them.' }),
  };
  if (Object.keys(errors).length > 0) return { errors };
  return { publishedSeconds: count * DAY_S, atOnce: when === 'at-once' };
}

function publicationFields({ published_days: days, when }: TypedChange, errors: FormErrors): Markup {
  return joined(
    textField({
      name: 'published_days',
      label: 'Days for which a retired key stays published',
      hint: 'So that what it signed still verifies.',
      value: days ?? DEFAULT_DAYS,
      maxLength: 4,
      error: errors['published_days'],
    }),
    selectField({
      name: 'when',
      label: 'When',
      value: when ?? 'safe',
      options: [
        ['safe', 'when every cached copy of the published keys has it'],
        ['at-once', 'at once, after a compromise: some signatures do not verify for a while'],
      ],
      error: errors['when'],
    }),
  );
}
