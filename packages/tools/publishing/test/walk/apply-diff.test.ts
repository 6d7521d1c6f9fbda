import { expect, it } from 'vitest';
import { applyDiff } from './apply-diff.js';

const FILE = 'one();\ntwo();\n\nthree();\ntwo();\nfour();\n';

it('replaces the lines of every part of a diff', () => {
  const diff = ' one();\n-two();\n+deux();\n\n three();\n@@\n-four();\n+quatre();\n+cinq();\n';
  expect(applyDiff(FILE, diff)).toBe('one();\ndeux();\n\nthree();\ntwo();\nquatre();\ncinq();\n');
});

it('refuses lines that the file does not have, or has twice', () => {
  expect(() => applyDiff(FILE, '-zero();\n')).toThrow('the file has these lines 0 times, not once:\nzero();');
  expect(() => applyDiff(FILE, '-two();\n+deux();\n')).toThrow(
    'the file has these lines 2 times, not once:\ntwo();',
  );
});
