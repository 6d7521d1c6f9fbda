import { expect, it } from 'vitest';
import { closers, closing } from './closers.js';

it('closes in reverse order, and closes everything despite failures', async () => {
  const ended: string[] = [];
  const toEnd = closers();
  toEnd.add(async () => void ended.push('first'));
  toEnd.add(() => Promise.reject(new Error('it failed')));
  toEnd.add(async () => void ended.push('last'));
  await expect(toEnd.closeAll()).rejects.toThrow('it failed');
  expect(ended).toEqual(['last', 'first']);
});

it('closes everything once, however often it is called', async () => {
  const ended: string[] = [];
  const toEnd = closers();
  toEnd.add(async () => void ended.push('once'));
  await Promise.all([toEnd.closeAll(), toEnd.closeAll()]);
  expect(ended).toEqual(['once']);
});

it('closes late additions immediately', async () => {
  const ended: string[] = [];
  const toEnd = closers();
  await toEnd.closeAll();
  toEnd.add(async () => void ended.push('late'));
  toEnd.add(() => Promise.reject(new Error('this failure is not reported')));
  expect(ended).toEqual(['late']);
});

it('closes what some work has opened, whether the work succeeds or fails', async () => {
  const ended: string[] = [];
  const work = (name: string, result: Promise<string>) =>
    closing((toEnd) => {
      toEnd.add(async () => void ended.push(name));
      return result;
    });
  expect(await work('good', Promise.resolve('done'))).toBe('done');
  await expect(work('bad', Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
  expect(ended).toEqual(['good', 'bad']);
});
