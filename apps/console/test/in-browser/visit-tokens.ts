import { withTokens } from '../pages/token/token-console.js';
import type { TestConsole } from '../support/build-test-console.js';
import { HOSTILE_NAME, INITIAL_TOKEN_ID } from '../support/hostile-rows.js';
import { HOSTILE_TEXT, HOSTILE_TEXTS } from '../support/hostile-texts.js';
import type { Visits } from './visits.js';

/** Visits every page of initial access tokens and of a pasted token. */
export async function visitTokens(visits: Visits, built: TestConsole): Promise<void> {
  await visitInitialTokens(visits);
  await visitPastedTokens(visits, built);
}

async function visitInitialTokens({ open, press, fill, confirm }: Visits): Promise<void> {
  const path = `/initial-tokens/${INITIAL_TOKEN_ID}`;
  await open('/initial-tokens');
  await open(path);
  await press('Revoke');
  await confirm('Revoke');
  await open(path, 'what is left is its history');
  await open('/initial-tokens/00000000');
  await open('/initial-tokens/issue');
  await fill({ label: HOSTILE_TEXTS.attribute, uses: 'many', lifetime: 'long', template: '{"a": ' });
  await press('Issue');
  await fill({ more_rights: 'client-reg:grant:code', uses: '2', lifetime: '', template: '' });
  await press('Issue', 'Shown once');
}

async function visitPastedTokens({ open, press, fill, send, confirm }: Visits, built: TestConsole) {
  const { jwt } = await withTokens(built);
  const token = await jwt({
    subject: HOSTILE_NAME,
    username: HOSTILE_TEXT,
    sessionId: HOSTILE_NAME,
    data: { [HOSTILE_NAME]: HOSTILE_TEXT },
  });
  await open('/token');
  await send('/token', {}, 'Paste a token.');
  await fill({ token: 'short' });
  await press('Explain the token', 'The text cannot be a token');
  await fill({ token: `${token.slice(0, -8)}AAAAAAAA` });
  await press('Explain the token', 'Claims that the text states');
  await press('Revoke this token');
  await confirm('Revoke this token');
  await open('/token');
  await fill({ token });
  await press('Explain the token', 'Everything that a response can contain');
  await fill({ caller: 'none' });
  await press('Show its response', 'There is no client with this identifier.');
  await fill({ caller: 'api' });
  await press('Show its response', 'The members of the response');
  await press('Revoke this token');
  await confirm('Revoke this token');
  await open('/token/revoke-client?client_id=client');
  await confirm('Revoke everything');
}
