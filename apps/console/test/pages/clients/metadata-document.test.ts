import type { DocumentRecord, DocumentUrl } from '@vestibule/clients/metadata-documents';
import { epochSeconds } from '@vestibule/protocol';
import { aClient, aClientId, TEST_NOW } from '@vestibule/testkit';
import { describe, expect, it } from 'vitest';
import { buildTestConsole } from '../../support/build-test-console.js';
import { storeDocument } from '../../support/hostile-rows.js';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.js';
import { readText } from '../../support/shown-page.js';

const URL = 'https://app.example/client.json' as DocumentUrl;
const PATH = `/clients/${encodeURIComponent(URL)}`;
const after = (seconds: number) => epochSeconds(TEST_NOW + seconds);

async function aConsoleWithDocument(record: DocumentRecord | undefined) {
  const built = await buildTestConsole();
  await built.store.database.clients.create(aClient({ id: aClientId(URL), origin: 'metadata_document' }));
  if (record !== undefined) await storeDocument(built, URL, record);
  return built;
}

describe('the page of a client that a metadata document registered', () => {
  it('shows when the document was accepted and until when it counts, its digest, and its changes', async () => {
    const { get } = await aConsoleWithDocument({
      validators: { etag: '"one"' },
      digest: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
      validatedAt: TEST_NOW,
      freshUntil: after(600),
      history: [
        { at: after(-60), event: 'registered', detail: 'of the first content' },
        { at: TEST_NOW, event: 'changed', detail: 'of the second content' },
      ],
    });
    const { status, text } = await get(PATH);
    expect(status).toBe(200);
    const shown = readText(text);
    expect(shown).toMatch(/Metadata document ?Accepted\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ?Counts until\d{4}-/);
    expect(shown).toContain('SHA-256n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg');
    expect(shown).toMatch(/registered ?of the first content.*changed ?of the second content/);
    expect(shown).not.toMatch(/Missing since|Refused|Reason/);
    expect(shown).toContain('the next time that it is read, it replaces what is changed here');
  });

  it('shows since when the document is missing, and why the last one was refused', async () => {
    const { get } = await aConsoleWithDocument({
      validators: {},
      withdrawnAt: TEST_NOW,
      problem: {
        reason: 'withdrawn',
        description: 'The document is gone.',
        detail: HOSTILE_TEXTS.element,
        at: TEST_NOW,
        retryAt: after(300),
      },
      history: [],
    });
    const { text } = await get(PATH);
    const shown = readText(text);
    expect(shown).toMatch(
      /Accepted ?never ?Missing since\d{4}-.* ?Refused\d{4}-.*, tried again after \d{4}-/,
    );
    expect(shown).toContain(`Reasonwithdrawn: ${HOSTILE_TEXTS.element}`);
    expect(shown).toContain('There are no changes.');
    expect(text).not.toMatch(/<script>global|<img/);
  });

  it('has no such section without a stored document, or for a client that was registered otherwise', async () => {
    const { get, store } = await aConsoleWithDocument(undefined);
    expect(readText((await get(PATH)).text)).not.toContain('Metadata document Accepted');
    expect((await get(PATH)).text).not.toContain('<h2>Metadata document</h2>');
    const other = 'https://other.example/client.json' as DocumentUrl;
    await store.database.clients.create(aClient({ id: aClientId(other) }));
    await storeDocument({ store }, other, { validators: {}, history: [], validatedAt: TEST_NOW });
    expect((await get(`/clients/${encodeURIComponent(other)}`)).text).not.toContain('Metadata document');
  });
});
