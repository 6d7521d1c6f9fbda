import { type ecmaVersion, parse } from 'acorn';

/** The scripts of a page, in order. */
export function scriptsIn(page: string): readonly string[] {
  return [...page.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/gi)].map(([, text = '']) => text);
}

/** The ECMAScript edition of scripts for end-users, which old browser engines support. */
const OLDEST: ecmaVersion = 5;

/**
 * Parses a script of an end-user page as ECMAScript 5.
 *
 *
 * @throws {SyntaxError} for newer syntax
 */
export function readAsOldScript(text: string): void {
  parse(text, { ecmaVersion: OLDEST, sourceType: 'script' });
}
