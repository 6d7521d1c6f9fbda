import { DomainError } from '@vestibule/protocol';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importAfterDryRun, SECRET } from '../testing/imported-client.js';
import { registrationFixture } from '../testing/registration-fixture.js';
import { EXPORT_FORMATS } from './exported-client.js';
import { exportEntries, readExportedClient } from './read-exported-client.js';

const names = fc.constantFrom(
  ...['clientId', 'client_id', 'clients', 'items', 'payload', 'data', 'metadata', 'attributes', 'secret'],
  ...['client_secret', 'redirectUris', 'redirect_uris', 'grant_types', 'response_types', 'jwks', 'protocol'],
  ...[
    'protocolMappers',
    'config',
    'protocolMapper',
    'rootUrl',
    'jwks.string',
    'use.jwks.string',
    'constructor',
  ],
  ...['post.logout.redirect.uris', 'publicClient', 'clientAuthenticatorType', 'defaultClientScopes', 'name'],
  ...['__proto__', '\u001b[2J', 'toString'],
);
const scalars = fc.constantFrom<JsonValue>(
  ...[
    null,
    true,
    false,
    0,
    1e308,
    -1,
    '',
    'true',
    'old-client',
    'client-jwt',
    'none',
    '/x',
    '$\u007bx}',
    '****',
  ],
  ...[
    'https://app.example.org/cb',
    'https://*',
    '\u0000',
    '{"keys":[]}',
    'oidc-sha256-pairwise-sub-mapper',
    SECRET,
  ],
);
const { document } = fc.letrec<{ document: JsonValue }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    scalars,
    fc.array(tie('document'), { maxLength: 4 }),
    fc
      .array(fc.tuple(names, tie('document')), { maxLength: 8 })
      .map((members): JsonObject => Object.fromEntries(members)),
  ),
}));

const exports = fc.oneof(
  document,
  document.map((members) =>
    isJsonObject(members) ? { clientId: 'old-client', client_id: 'old-client', ...members } : members,
  ),
);

describe('an export from another server', () => {
  it('never breaks the reader, and its values never appear in a warning', { timeout: 30_000 }, async () => {
    const fixture = await registrationFixture();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...EXPORT_FORMATS), exports, async (format, hostile) => {
        for (const entry of exportEntries(hostile)) {
          const client = readExportedClient(format, entry);
          if (client.kind === 'passed_over') continue;
          const outcome = await importAfterDryRun(fixture, client, { issuesNewSecrets: true }).catch(
            (error: unknown) => error,
          );
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(DomainError);
          for (const warning of client.warnings) {
            expect(warning).toMatch(/^[\x20-\x7e]+\.$/);
            expect(warning).not.toContain(SECRET);
          }
          expect(Object.getPrototypeOf(client.metadata)).toBe(Object.prototype);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('yields its clients whether it is a list, a realm, several realms, a page or one client', () => {
    const [one, two] = [{ client_id: 'a' }, { client_id: 'b' }];
    for (const [form, entries] of [
      [
        [one, two],
        [one, two],
      ],
      [{ realm: 'r', clients: [one, two] }, [one, two]],
      [
        [{ clients: [one] }, { clients: [two] }],
        [one, two],
      ],
      [{ items: [one], next_page_token: '' }, [one]],
      [one, [one]],
    ] as const)
      expect(exportEntries(form)).toEqual(entries);
  });
});
