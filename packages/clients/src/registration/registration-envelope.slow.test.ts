import { DomainError } from '@vestibule/protocol';
import { GRANT_TYPES } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergePatch } from '../management/merge-patch.js';
import { updateClient } from '../management/update-client.js';
import { registrationFixture } from '../testing/registration-fixture.js';

const SCOPES = [
  'client-reg:grant:code',
  'client-reg:grant:client',
  'client-reg:grant:password',
  'client-reg:scope:read',
  'client-reg:data',
];

const metadata = fc.record(
  {
    redirect_uris: fc.constantFrom(['https://app.example.org/cb'], ['http://app.example.org/cb'], [], null),
    grant_types: fc.option(fc.uniqueArray(fc.constantFrom<string>(...GRANT_TYPES), { maxLength: 3 })),
    response_types: fc.option(
      fc.uniqueArray(fc.constantFrom('code', 'token', 'code id_token'), { maxLength: 2 }),
    ),
    token_endpoint_auth_method: fc.constantFrom('none', 'client_secret_basic', 'private_key_jwt', null),
    scope: fc.constantFrom('read', 'write', 'read write', null),
    data: fc.constantFrom({}, { a: 1 }, 'x', null),
    post_logout_redirect_uris: fc.constantFrom(['https://app.example.org/'], ['javascript:alert(1)'], null),
    application_type: fc.constantFrom('web', 'native', null),
    id_token_signed_response_alg: fc.constantFrom('HS512', 'RS256', 'none', null),
    preferred_client_secret: fc.constantFrom('x'.repeat(43), null, null, null),
  },
  { requiredKeys: [] },
);

/** A replacement of the current registration, or a patch of it. */
const change = fc.record({ isPatch: fc.boolean(), body: metadata });

const ISSUED = new Set([
  'client_id',
  'client_id_issued_at',
  'client_secret',
  'client_secret_expires_at',
  'registration_access_token',
  'registration_client_uri',
]);

/** The result of a requested change, written as a registration. */
function asRegistration(information: JsonObject, { isPatch, body }: { isPatch: boolean; body: JsonObject }) {
  const present = Object.entries(information).filter(([name]) => !ISSUED.has(name));
  return isPatch ? mergePatch(Object.fromEntries(present), body) : body;
}

const outcomeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'accepted',
    (error) => (error instanceof DomainError ? error.code : String(error)),
  );

describe('updates and patches with the registration access token', () => {
  // Otherwise a client could reach in steps what its initial access token does not permit at once.
  it('register nothing that a registration with the same granted scopes would refuse', {
    timeout: 180_000,
  }, async () => {
    const steps = fc.array(change, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.subarray(SCOPES), steps, async (granted, changes) => {
        const fixture = await registrationFixture();
        const scope = ['client-reg:grant:code', ...granted].join(' ');
        const first: JsonObject = { redirect_uris: ['https://app.example.org/cb'] };
        let { information } = await fixture.register(first, await fixture.issue(scope));
        for (const { isPatch, body } of changes) {
          const id = information.client_id;
          const registration = asRegistration(information, { isPatch, body });
          const atOnce = await outcomeOf(fixture.register(registration, await fixture.issue(scope)));
          const token = String(information['registration_access_token']);
          const input = { id, token, isPatch, body: { ...body, client_id: id } };
          const attempt = updateClient(fixture.deps, input).then((response) => {
            information = response.information;
          });
          expect(await outcomeOf(attempt)).toBe(atOnce);
        }
      }),
      { numRuns: 10_000 },
    );
  });
});
