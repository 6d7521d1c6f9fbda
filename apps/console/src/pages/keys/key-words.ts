import { DATA_KEY_SETTLE_MS } from '@vestibule/crypto/data-keys';
import type { KeyRecord, KeyStep, Ring } from '@vestibule/crypto/key-rings';
import { html, type Markup } from '@vestibule/http/pages';
import type { Clock } from '@vestibule/protocol';
import { instant } from '../../frame/parts.js';

/** What the keys of each ring are for. */
export const RINGS: Readonly<Record<Ring, string>> = {
  provider: 'They sign tokens, logout tokens and introspection responses.',
  encryption: 'Clients and the authorization server encrypt for them.',
  federation: 'They sign the statements of the federation entity.',
  seal: 'They encrypt secrets in the database.',
  digest: 'They digest tokens and secrets in the database.',
};

/** Colours of the states. */
export const STATE_TONES = { pending: 'waiting', active: 'good', retired: 'bad' } as const;

/** Says what comes next for a key, and when it is safe. */
export function stepText(step: KeyStep, clock: Clock): Markup {
  switch (step.step) {
    case 'activate':
      return fromThenOn('It can be activated', step.fromMs, clock);
    case 'retire':
      return fromThenOn('It was replaced, and still matches. It can be retired', step.fromMs, clock);
    case 'leave':
      return html`No longer published from ${at(step.atMs)} on.`;
    case 'stay':
      return html`In use until another key of its purpose is activated.`;
    case 'none':
      return html`Nothing.`;
  }
}

function fromThenOn(what: string, fromMs: number, clock: Clock): Markup {
  return fromMs <= clock.nowMs() ? html`${what} now.` : html`${what} from ${at(fromMs)} on.`;
}

const DAY_S = 86_400;
const HOUR_S = 3_600;
const MINUTE_S = 60;

/** Says how old a key is, in its largest unit. */
export function ageText({ created_at: createdAt }: KeyRecord, clock: Clock): string {
  const seconds = Math.max(0, Math.floor(clock.nowMs() / 1_000) - createdAt);
  if (seconds >= DAY_S) return counted(Math.floor(seconds / DAY_S), 'day');
  if (seconds >= HOUR_S) return counted(Math.floor(seconds / HOUR_S), 'hour');
  return counted(Math.floor(seconds / MINUTE_S), 'minute');
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** How long a data key stays pending, in words. */
export const SETTLE_TEXT = counted(DATA_KEY_SETTLE_MS / (MINUTE_S * 1_000), 'minute');

/** Renders an instant in milliseconds since the Unix epoch. */
export function at(ms: number): Markup {
  return instant(new Date(ms));
}
