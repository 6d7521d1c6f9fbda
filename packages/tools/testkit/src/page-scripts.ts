import { type ecmaVersion, parse } from 'acorn';

/** The texts of the scripts in a page, in their order. */
export function scriptsIn(page: string): readonly string[] {
  return [...page.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/gi)].map(([, text = '']) => text);
}

/** The edition of ECMAScript that scripts for end-users are written in, which old browser engines read. */
const OLDEST: ecmaVersion = 5;

/**
 * Reads a script of an end-user page as ECMAScript 5.
 *
 * @throws {SyntaxError} for newer syntax
 */
export function readAsOldScript(text: string): void {
  parse(text, { ecmaVersion: OLDEST, sourceType: 'script' });
}
