import fc from 'fast-check';
import { expect, it } from 'vitest';
import { REGISTERED, redirectFixture } from '../support/redirect-fixture.js';
import { visit } from '../support/visit.js';

it('redirects nowhere else for any of 10,000 altered addresses, hints and states', async () => {
  const { app, hint } = await redirectFixture();
  const changed = (text: string) =>
    fc
      .tuple(
        fc.nat(text.length),
        fc.nat(3),
        fc.oneof(
          fc.constant(''),
          fc.string({ unit: 'binary', maxLength: 4 }),
          fc.constantFrom(
            '/',
            '?',
            '#',
            '@',
            '\\',
            '.',
            '%00',
            '%2f',
            '//evil.example',
            'https://evil.example',
          ),
        ),
      )
      .map(([at, drop, put]) => text.slice(0, at) + put + text.slice(at + drop));
  const uri = fc.oneof(
    ...REGISTERED.map((registered) =>
      fc.oneof(
        { weight: 4, arbitrary: changed(registered) },
        { weight: 1, arbitrary: fc.constant(registered) },
      ),
    ),
    fc.webUrl(),
  );
  const token = fc.oneof(
    { weight: 3, arbitrary: fc.constant(hint) },
    { weight: 1, arbitrary: changed(hint) },
  );
  const state = fc.option(fc.string({ unit: 'binary', maxLength: 40 }), { nil: undefined });
  let [sent, landed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(uri, token, state, async (address, given, said) => {
      const request = {
        id_token_hint: given,
        post_logout_redirect_uri: address,
        state: said,
      };
      const { status, location } = await visit(app, request);
      sent += 1;
      expect(status).toBeLessThan(500);
      if (location === undefined) return;
      landed += 1;
      const arrived = new URL(location);
      arrived.searchParams.delete('state');
      expect(REGISTERED.map((registered) => new URL(registered).href)).toContain(arrived.href);
      expect(REGISTERED).toContain(address);
      expect(given).toBe(hint);
    }),
    { numRuns: 10_000 },
  );
  expect(sent).toBe(10_000);
  expect(landed).toBeGreaterThan(500);
});
