import { inspect } from 'node:util';

const HIDDEN = '[secret]';

/** A text that must not be shown: printing, serialising and inspecting it give a fixed word. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself, for the one place that uses it. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}
