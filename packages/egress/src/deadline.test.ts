import { describe, expect, it } from 'vitest';
import { openDeadline, withinSignal } from './deadline.js';

describe('withinSignal', () => {
  const endless = () => new Promise<never>(() => undefined);

  it('settles like the work', async () => {
    const { signal } = new AbortController();
    expect(await withinSignal(signal, Promise.resolve('done'))).toBe('done');
    await expect(withinSignal(signal, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('rejects with the reason of the signal, even if the signal was aborted before', async () => {
    const controller = new AbortController();
    const waiting = withinSignal(controller.signal, endless());
    controller.abort(new Error('over'));
    await expect(waiting).rejects.toThrow('over');
    await expect(withinSignal(controller.signal, endless())).rejects.toThrow('over');
  });
});

describe('openDeadline', () => {
  it('aborts when the signal of the caller aborts, before or after, until it is closed', () => {
    const caller = new AbortController();
    const closed = openDeadline(60_000, caller.signal);
    closed.close();
    const open = openDeadline(60_000, caller.signal);
    caller.abort();
    expect([closed.signal.aborted, open.signal.aborted]).toEqual([false, true]);
    const late = openDeadline(60_000, caller.signal);
    expect(late.signal.reason).toMatchObject({ reason: 'aborted' });
    open.close();
    late.close();
  });
});
