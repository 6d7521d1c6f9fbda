import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { afterPendingInput, nodeScheduler } from './node-scheduler.js';

const passed = (ms: number) => new Promise<void>((resolve) => void nodeScheduler.after(ms, resolve));
const turn = () => new Promise<void>((resolve) => nodeScheduler.soon(resolve));

it('runs scheduled tasks in order and skips cancelled ones, within a turn and across turns', async () => {
  const done: string[] = [];
  const schedule = (name: string) => nodeScheduler.after(1, () => done.push(name));
  schedule('a');
  const cancelB = schedule('b');
  schedule('c');
  await turn();
  const cancelD = schedule('d');
  schedule('e');
  cancelB();
  cancelD();
  cancelD();
  await passed(20);
  expect(done).toEqual(['a', 'c', 'e']);
});

it('runs a task that was scheduled after all earlier ones of the same turn were cancelled', async () => {
  const done: string[] = [];
  nodeScheduler.after(1, () => done.push('never'))();
  nodeScheduler.after(1, () => done.push('after all'));
  await passed(20);
  expect(done).toEqual(['after all']);
});

it('runs a task that is scheduled in a turn in which earlier ones have run already', async () => {
  const done: string[] = [];
  await turn();
  nodeScheduler.after(1, () => done.push('first'));
  const planned = new Promise<void>((resolve) => {
    setTimeout(() => {
      nodeScheduler.after(1, () => done.push('second'));
      resolve();
    }, 1);
  });
  const begunAtMs = performance.now();
  while (performance.now() - begunAtMs < 5);
  await planned;
  await passed(20);
  expect(done).toEqual(['first', 'second']);
});

// Otherwise a process that was stalled would take its own delay for that of a database.
it('reads what has arrived while the process was busy before it runs a task that is due', async () => {
  const done: string[] = [];
  const server = createServer();
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const connected = once(socket, 'connect');
  const [peer] = await once(server, 'connection');
  await connected;
  socket.on('data', () => done.push('input'));
  const due = passed(50).then(() => done.push('task'));
  peer.write('input');
  const begunAtMs = performance.now();
  while (performance.now() - begunAtMs < 100);
  await due;
  expect(done).toEqual(['input', 'task']);
});

it('keeps no timer for cancelled tasks', async () => {
  // Other code of the process starts timers too: only those with this delay count.
  const delayMs = 60_007;
  const [started, ended] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
  onTestFinished(() => void vi.restoreAllMocks());
  const timers = () => {
    const endedTimers = ended.mock.calls.map(([timer]) => timer);
    return started.mock.results.filter(
      ({ value }, call) => started.mock.calls[call]?.[1] === delayMs && !endedTimers.includes(value),
    );
  };
  const tasks = Array.from({ length: 10 }, () => nodeScheduler.after(delayMs, () => undefined));
  await turn();
  const [last, ...others] = tasks;
  for (const cancel of others) cancel();
  expect(timers()).toHaveLength(1);
  last?.();
  expect(timers()).toEqual([]);
  nodeScheduler.after(delayMs, () => undefined)();
  expect(timers()).toHaveLength(1);
  await turn();
  await turn();
  expect(timers()).toEqual([]);
});

it('does not run a task that is cancelled when its delay is over already', async () => {
  const done: string[] = [];
  const cancel = nodeScheduler.after(20, () => done.push('cancelled'));
  const late = passed(20);
  // A timer with the same delay, which is due in the same turn.
  setTimeout(cancel, 20);
  const begunAtMs = performance.now();
  while (performance.now() - begunAtMs < 60);
  await late;
  await passed(20);
  expect(done).toEqual([]);
});

it('runs one function after a delay, unless it was cancelled', async () => {
  const done: string[] = [];
  afterPendingInput(5, () => done.push('run'));
  afterPendingInput(5, () => done.push('cancelled'))();
  await passed(30);
  expect(done).toEqual(['run']);
});

it('does not run one function that is cancelled when its delay is over already', async () => {
  const done: string[] = [];
  const cancel = afterPendingInput(10, () => done.push('cancelled'));
  // A timer with the same delay, which is due in the same turn.
  setTimeout(cancel, 10);
  const begunAtMs = performance.now();
  while (performance.now() - begunAtMs < 40);
  await passed(30);
  expect(done).toEqual([]);
});
