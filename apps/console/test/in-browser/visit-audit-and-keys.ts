import { listKeys } from '@vestibule/crypto/key-rings';
import type { TestConsole } from '../support/build-test-console.js';
import { HOSTILE_ID, HOSTILE_NAME } from '../support/hostile-rows.js';
import type { Visits } from './visits.js';

/** Visits every page of the audit events. */
export async function visitAudit({ open, press, fill, send, page }: Visits, { store }: TestConsole) {
  const { head } = await store.database.chainAuditEvents();
  await open(`/audit?actor=${encodeURIComponent(HOSTILE_NAME)}&target=`, 'evil.example');
  const events = await page
    .locator('a[href^="/audit/events/"]')
    .evaluateAll((links) => links.map((one) => one.getAttribute('href') ?? ''));
  // The three forms of details, the last one first.
  for (const [event, shown] of [
    [events[0], 'value'],
    [events[1], 'path'],
    [events[2], 'Members that differ'],
  ] as const)
    await open(event ?? '', shown);
  await open('/audit/events/0');
  await open('/audit?from=soon&until=later');
  await open('/audit');
  await send('/audit/export', { from: 'soon' });
  await open('/audit');
  await fill({ position: 'none', head: HOSTILE_NAME });
  await press('Verify the chain');
  await fill({ position: '1', head: '' });
  await press('Verify the chain', 'intact');
  await fill({ head: `${(head?.position ?? 0n) + 9n}:${'0'.repeat(64)}` });
  await press('Verify the chain', 'broken');
}

/** Visits every page of keys. */
export async function visitKeys({ open, press, fill, confirm }: Visits, { store }: TestConsole) {
  await open('/keys');
  const hostile = `/keys/${encodeURIComponent(HOSTILE_ID)}`;
  await open(hostile, 'evil.example');
  await press('Change when it is no longer published');
  await confirm('Retire the key');
  await open('/keys/none');
  await open('/keys/new?ring=provider');
  await fill({ algorithm: 'ES256' });
  await confirm('Create the key');
  const created = (await listKeys(store.database, store.clock)).find(({ key }) => key.state === 'pending');
  if (created?.kind !== 'signing') throw new TypeError('the key was not created');
  const path = `/keys/${encodeURIComponent(created.key.kid)}`;
  await open(path);
  await press('Activate the key');
  await fill({ published_days: '1' });
  await confirm('Activate the key');
  await fill({ when: 'at-once' });
  await confirm('Activate the key');
}
