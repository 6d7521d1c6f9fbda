import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
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

  it('lets what arrived while the process was busy be read before it aborts', async () => {
    const server = createServer((socket) => void socket.end('response'));
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    onTestFinished(() => void socket.destroy());
    await Promise.all([once(server, 'connection'), once(socket, 'connect')]);
    const deadline = openDeadline(50, undefined);
    const arrived = once(socket.resume(), 'data').then(() => deadline.signal.aborted);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    expect(await arrived).toBe(false);
    await once(deadline.signal, 'abort');
    expect(deadline.signal.reason).toMatchObject({ reason: 'timeout' });
  });
});
