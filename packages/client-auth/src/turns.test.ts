import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { turns } from './turns.js';

it('lets so many go on at once under a name, in the order in which they came, and others under other names', async () => {
  const { enter, leave } = turns(2);
  const inside: string[] = [];
  const come = (who: string, name = 'a') => void enter(name).then(() => inside.push(who));
  for (const who of ['1', '2', '3', '4']) come(who);
  come('5', 'b');
  await setImmediate();
  expect(inside).toEqual(['1', '2', '5']);
  leave('a');
  await setImmediate();
  expect(inside).toEqual(['1', '2', '5', '3']);
  for (let time = 0; time < 3; time += 1) leave('a');
  await setImmediate();
  expect(inside).toEqual(['1', '2', '5', '3', '4']);
  for (const who of ['6', '7', '8']) come(who);
  await setImmediate();
  expect(inside.slice(5)).toEqual(['6', '7']);
});
