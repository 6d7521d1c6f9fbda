import { expect, it } from 'vitest';
import { after, NOW, twoProcesses } from '../testing/fixtures.js';
import { query } from '../testing/test-database.js';
import { sessionTarget, subjectTarget } from './event-target.js';

it('names end-users and sessions as the events about them do', async () => {
  const { url, one } = await twoProcesses();
  const clock = { nowMs: () => NOW * 1_000 };
  const { revocations } = one.actingAs({ actor: 'master', clock });
  await revocations.revokeSubject('älice', after(0));
  await revocations.revokeSession('sid', after(0));
  const events = await query(url, 'SELECT target FROM audit_event ORDER BY id');
  expect(events).toEqual([{ target: subjectTarget('älice') }, { target: sessionTarget('sid') }]);
});
