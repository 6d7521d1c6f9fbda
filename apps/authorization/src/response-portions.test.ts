import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { inPortions, UNTIL_END } from './response-portions.js';

async function collect(portions: AsyncGenerator<string, void>): Promise<string[]> {
  const all: string[] = [];
  for await (const portion of portions) all.push(portion);
  return all;
}

async function* each(...texts: readonly string[]): AsyncGenerator<string, void> {
  for (const text of texts) {
    await nextTurn();
    yield text;
  }
}

it('joins responses until a portion is large, and gives the rest at the end', async () => {
  const limits = { maxWaiting: 5 };
  expect(await collect(inPortions(each('ab', 'cd', 'ef', 'g', 'h'), limits))).toEqual(['abcdef', 'gh']);
  expect(await collect(inPortions(each('abcdef', 'g'), limits))).toEqual(['abcdef', 'g']);
  expect(await collect(inPortions(each(), limits))).toEqual([]);
});

it('gives what waits when no further response comes for a while', async () => {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  async function* slowly(): AsyncGenerator<string, void> {
    yield 'a';
    yield 'b';
    await held;
    yield 'c';
  }
  const portions = inPortions(slowly(), { maxPauseMs: 5 });
  expect(await portions.next()).toEqual({ done: false, value: 'ab' });
  goOn();
  expect(await collect(portions)).toEqual(['c']);
});

it('gives nothing before the end of a request whose length is known, however long a pause is, and then parts of it', async () => {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const response = 'x'.repeat(300 * 1024);
  async function* many(): AsyncGenerator<string, void> {
    for (let count = 0; count < 20; count += 1) yield response;
    await held;
    yield 'end';
  }
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const portions = inPortions(many(), UNTIL_END);
  let isGiven = false;
  const first = portions.next().finally(() => {
    isGiven = true;
  });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(isGiven).toBe(false);
  goOn();
  const all = [(await first).value ?? '', ...(await collect(portions))];
  expect(all.join('')).toBe(`${response.repeat(20)}end`);
  expect(Math.max(...all.map(({ length }) => length))).toBeLessThan(1024 * 1024);
});

it('gives responses before the end of a request whose length is known once there are more than 32 MiB', async () => {
  let made = 0;
  async function* endlessly(): AsyncGenerator<string, void> {
    for (;;) {
      made += 1;
      yield 'x'.repeat(1024 * 1024);
    }
  }
  const portions = inPortions(endlessly(), UNTIL_END);
  await portions.next();
  expect(made).toBe(32);
  await portions.return();
});

it('asks for no more responses than its consumer takes', async () => {
  let made = 0;
  async function* endlessly(): AsyncGenerator<string, void> {
    for (;;) {
      made += 1;
      yield 'abc';
    }
  }
  const portions = inPortions(endlessly(), { maxWaiting: 6 });
  await portions.next();
  await nextTurn();
  expect(made).toBe(2);
  await portions.return();
});

it('gives what came before a fault only if it waited for a while, and then the fault', async () => {
  let fail = () => {};
  const held = new Promise<void>((_resolve, reject) => {
    fail = () => reject(new Error('store down'));
  });
  async function* failing(): AsyncGenerator<string, void> {
    yield 'a';
    await held;
  }
  const portions = inPortions(failing(), { maxPauseMs: 5 });
  expect(await portions.next()).toEqual({ done: false, value: 'a' });
  fail();
  // Meanwhile no caller awaits the rejected promise.
  await nextTurn();
  await expect(portions.next()).rejects.toThrow('store down');
});

it('ends its source when its consumer goes away', async () => {
  let isEnded = false;
  async function* watched(): AsyncGenerator<string, void> {
    try {
      for (;;) yield 'abc';
    } finally {
      isEnded = true;
    }
  }
  const portions = inPortions(watched(), { maxWaiting: 1 });
  await portions.next();
  await portions.return();
  expect(isEnded).toBe(true);
});
