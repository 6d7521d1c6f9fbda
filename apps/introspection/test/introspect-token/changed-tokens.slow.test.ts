import { expect, it } from 'vitest';
import { activeMembers, call, INACTIVE } from '../support/introspection-call.js';
import { aTestService } from '../support/test-service.js';

it('is inactive for every prefix, suffix, changed bit, case and padding of a live token', async () => {
  const service = await aTestService();
  const live = [await service.identifier(), await service.jwt()];
  const mutants = live.flatMap(mutations);
  expect(mutants.length).toBeGreaterThanOrEqual(2000);
  for (const mutant of mutants) {
    const response = await call(service.app, { token: mutant });
    if (response.body !== INACTIVE.body || response.status !== 200)
      expect.fail(`${mutant}: ${response.body}`);
  }
  for (const token of live) activeMembers(await call(service.app, { token }));
});

/** Variants of a token from a scanner, a bug or a proxy; without NUL, which is refused as malformed. */
function mutations(token: string): string[] {
  const mutants = [
    token.toUpperCase(),
    token.toLowerCase(),
    `${token}=`,
    `${token}==`,
    `${token}.`,
    `.${token}`,
  ];
  for (const space of [' ', '\t', '\n', '\r\n', '\u00a0', '\u200b', '%20', '+'])
    mutants.push(space + token, token + space, token.slice(0, 20) + space + token.slice(20));
  for (let index = 0; index < token.length; index += 1) {
    mutants.push(
      token.slice(0, index),
      token.slice(index + 1),
      token.slice(0, index) + token.slice(index + 1),
    );
    for (let bit = 0; bit < 7; bit += 1) {
      const flipped = String.fromCharCode(token.charCodeAt(index) ^ (1 << bit));
      mutants.push(token.slice(0, index) + flipped + token.slice(index + 1));
    }
  }
  return [...new Set(mutants)].filter(
    (mutant) => mutant !== token && mutant !== '' && !mutant.includes('\0'),
  );
}
