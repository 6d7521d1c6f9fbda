import { describe, expect, it } from 'vitest';
import { shownPage } from '../../support/shown-page.js';
import { anAuditConsole } from './audit-console.js';

/** A console with chained events. */
async function chained(count: number) {
  const built = await anAuditConsole();
  for (let index = 0; index < count; index += 1) await built.revoke(`t${index}`);
  const { head } = await built.store.database.chainAuditEvents();
  return { ...built, head: `${head?.position}:${head?.hash}` };
}

describe('verifying the chain', () => {
  it('says which part is intact, and the head to record', async () => {
    const { post, head, revoke } = await chained(3);
    await revoke('not chained yet');
    const { text } = shownPage(await post('/audit/verify', {}, 'viewer'));
    expect(text).toMatch(/Chain intact Positions verified 1 to 3 Positions of the chain 1 to 3/);
    expect(text).toContain(`Record this head ${head}`);
  });

  it('begins at a position, and offers the events before', async () => {
    const { post } = await chained(3);
    const page = shownPage(await post('/audit/verify', { position: ' 2 ' }, 'viewer'));
    expect(page.text).toMatch(/Positions verified 2 to 3/);
    expect(page.forms.find(({ buttons }) => buttons[0] === 'Verify the events before')?.fields).toMatchObject(
      {
        position: '1',
      },
    );
  });

  it('finds that the end was cut off since a head was recorded, and that an event was changed', async () => {
    const { post, head } = await chained(3);
    const [, hash] = head.split(':');
    expect(shownPage(await post('/audit/verify', { head }, 'viewer')).text).toMatch(
      /intact .*Recorded head it is in the chain/,
    );
    const cut = shownPage(await post('/audit/verify', { head: `4:${hash}` }, 'viewer'));
    expect(cut.text).toMatch(/Chain broken .*1 to 3/);
    expect(cut.alerts).toEqual(['The event at position 4 is missing.']);
    const changed = shownPage(await post('/audit/verify', { head: `2:${hash}` }, 'viewer'));
    expect(changed.alerts).toEqual(['The event at position 2 is changed.']);
  });

  it('has nothing to verify without events', async () => {
    const { post } = await chained(0);
    expect(shownPage(await post('/audit/verify', {}, 'viewer')).text).toMatch(
      /intact Positions verified none Positions of the chain no event is chained yet/,
    );
  });

  it.each([
    [{ position: '0' }, 'position-error'],
    [{ position: 'x' }, 'position-error'],
    [{ position: '99' }, 'position-error'],
    [{ head: '1:abc' }, 'head-error'],
    [{ position: '3', head: `1:${'a'.repeat(64)}` }, 'head-error'],
  ])('says what is wrong with %o beside the field, and keeps it', async (form, error) => {
    const { post } = await chained(3);
    const response = await post('/audit/verify', form, 'viewer');
    expect(response.status).toBe(400);
    expect(response.text).toContain(`id="${error}"`);
    expect(shownPage(response).forms.at(-1)?.fields).toMatchObject(form);
  });
});
