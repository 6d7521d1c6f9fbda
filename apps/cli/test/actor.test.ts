import { expect, it } from 'vitest';
import { vestibule } from './support/vestibule.js';

it.each(['console', 'Standalone', 'two words', ''])('does not act under the name %j', async (name) => {
  const { code, stderr } = await vestibule(['keys', 'rewrap', '--actor', name], { environment: {} });
  expect(code).toBe(2);
  expect(stderr).toContain('--actor');
});
