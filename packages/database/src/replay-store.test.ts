import { replayStoreContract } from '@vestibule/client-auth/testing';
import { describe, expect, it } from 'vitest';
import { aDigest, after, NOW, twoProcesses } from './testing/fixtures.js';
import { countRows, query } from './testing/test-database.js';

describe('the replay store', () => {
  replayStoreContract(async () => {
    const { one, other } = await twoProcesses();
    return [one.replays, other.replays];
  });

  it('keeps a use for a minute longer than requested, and rejects replays until then', async () => {
    const { url, one } = await twoProcesses();
    expect(await one.replays.recordUse(aDigest('a'), after(300))).toBe('fresh');
    expect(await one.replays.recordUse(aDigest('a'), after(9000))).toBe('replayed');
    const [row] = await query<{ at: number }>(
      url,
      'SELECT extract(epoch FROM expires_at)::float8 AS at FROM replayed_assertion',
    );
    expect(row?.at).toBe(NOW + 300);
    await one.cleanUp({ now: after(359) });
    expect(await one.replays.recordUse(aDigest('a'), after(300))).toBe('replayed');
    await one.cleanUp({ now: after(360) });
    expect(await countRows(url, 'replayed_assertion')).toBe(0);
  });

  it('is unavailable, without rejecting, when the database cannot be reached', async () => {
    const { one } = await twoProcesses();
    await one.close();
    expect(await one.replays.recordUse(aDigest('a'), NOW)).toBe('unavailable');
  });
});
