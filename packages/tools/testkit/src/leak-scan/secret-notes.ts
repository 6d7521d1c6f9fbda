import { appendFileSync, readFileSync } from 'node:fs';

/** A secret that a test received or chose. */
export interface NotedSecret {
  /** Its kind, as in `client_secret`. */
  readonly kind: string;
  /** The name of the test. */
  readonly test: string;
  readonly secret: string;
}

/** A shorter text, or one of fewer different characters, could occur by accident. */
const LEAST_LENGTH = 20;
const LEAST_VARIETY = 12;

/** Whether a text cannot occur by accident. */
export function isUnmistakable(text: string): boolean {
  return text.length >= LEAST_LENGTH && new Set(text).size >= LEAST_VARIETY && /^[\x21-\x7E]+$/.test(text);
}

/** Appends a note. */
export function writeNote(file: string, { kind, test, secret }: NotedSecret): void {
  appendFileSync(file, `${[kind, test.replaceAll(/\s+/g, ' '), secret].join('\t')}\n`, { mode: 0o600 });
}

/** The notes of a run, each secret once. */
export function readNotes(file: string): readonly NotedSecret[] {
  const notes = new Map<string, NotedSecret>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [kind, test, secret] = line.split('\t');
    if (kind !== undefined && test !== undefined && secret !== undefined)
      notes.set(secret, { kind, test, secret });
  }
  return [...notes.values()];
}
