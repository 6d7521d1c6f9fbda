import { operatorActor } from '@vestibule/clients';
import { importClient } from '@vestibule/clients/import';
import { foreignSql } from '@vestibule/local-services/testing';
import type { JsonObject } from '@vestibule/protocol/json';
import type { TestConsole } from './build-test-console.js';
import { HOSTILE_TEXT, HOSTILE_TEXTS } from './hostile-texts.js';

/** Metadata with hostile texts in each member that takes them. */
const METADATA: JsonObject = {
  client_name: HOSTILE_TEXTS.element,
  'client_name#de': HOSTILE_TEXTS.direction,
  redirect_uris: [
    'https://app.example/cb?next=%3Cscript%3E&x="><script>globalThis.harmed=true</script>'.replaceAll(
      '"',
      '%22',
    ),
    `https://app.example/${'long/'.repeat(80)}`,
  ],
  logo_uri: 'https://evil.example/logo.png',
  client_uri: 'https://evil.example/home',
  policy_uri: 'https://evil.example/policy',
  contacts: [HOSTILE_TEXTS.attribute, HOSTILE_TEXTS.comment],
  software_id: HOSTILE_TEXTS.template,
  software_version: HOSTILE_TEXTS.long,
  data: { [HOSTILE_TEXTS.attribute]: HOSTILE_TEXT, nested: [{ deep: HOSTILE_TEXTS.comment }] },
};

/** Fills a store with clients whose texts are hostile. @returns their identifiers */
export async function fillWithHostileClients(
  { deps, databaseUrl }: Pick<TestConsole, 'deps' | 'databaseUrl'>,
  count = 3,
): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, (_, index) => `hostile-${index + 1}`);
  for (const id of ids)
    await importClient(deps.registration, {
      client: {
        kind: 'client',
        id,
        metadata: { redirect_uris: ['https://app.example/cb'] },
        secret: { kind: 'none' },
        warnings: [],
      },
      operator: operatorActor('fixture'),
      replacesExisting: false,
      issuesNewSecrets: true,
    });
  // Registration refuses some of these texts; rows of earlier versions and other programs may have them.
  const sql = await foreignSql(databaseUrl);
  const { data, ...metadata } = METADATA;
  await sql('UPDATE client SET metadata = metadata || $1::jsonb, data = $2::jsonb', [
    JSON.stringify(metadata),
    JSON.stringify(data),
  ]);
  return ids;
}
