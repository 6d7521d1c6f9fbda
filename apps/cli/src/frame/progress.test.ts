import { afterEach, expect, it, vi } from 'vitest';
import { progressLine, startProgress } from './progress.js';

afterEach(() => {
  vi.useRealTimers();
});

/** Returns the output while 10 of 12 items are processed, one per second. */
function shownOn(terminal: { readonly isTTY?: boolean; readonly columns?: number }): readonly string[] {
  vi.useFakeTimers({ toFake: ['performance'] });
  const written: string[] = [];
  const progress = startProgress({ ...terminal, write: (text) => written.push(text) }, 'Reencrypting', 12);
  for (let done = 1; done <= 10; done += 1) {
    vi.advanceTimersByTime(1_000);
    progress.report(done);
  }
  progress.end();
  return written;
}

it('shows a progress line that updates itself and disappears, on terminals only', () => {
  const line = progressLine('Reencrypting', 10, 12);
  expect(line).toBe('Reencrypting  [####################....] 83 %  10/12');
  expect(shownOn({ isTTY: true, columns: 120 }).slice(-2)).toEqual([`\r${line}\u001b[K`, '\r\u001b[K']);
  expect(shownOn({})).toEqual([]);
});

it('is never wider than the terminal, and complete if the width is unknown', () => {
  expect(shownOn({ isTTY: true, columns: 20 })[0]).toBe('\rReencrypting  [##..\u001b[K');
  for (const columns of [undefined, 0])
    expect(shownOn({ isTTY: true, ...(columns !== undefined && { columns }) }).at(-2)).toContain(
      ' 10/12\u001b',
    );
});
