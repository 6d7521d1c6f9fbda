import { inspect } from 'node:util';

const HIDDEN = '[secret]';

/** A text that must not be shown. Printing, serializing and inspecting it return a fixed placeholder. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the text, for the code that uses it. */
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
