import type { ServerChange } from '@vestibule/database';
import { memoryLog } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { reportServerChange } from './server-change.js';

const CHANGES: readonly (readonly [ServerChange, string, string | undefined])[] = [
  [{ kind: 'promoted', history: '7/00000002' }, 'all cached data is discarded', '7/00000002'],
  [
    { kind: 'asynchronous_standbys', count: 2 },
    'promoting one loses acknowledged revocations',
    '2 asynchronous',
  ],
  [
    { kind: 'commits_not_durable', synchronousCommit: 'local' },
    'a pooler drops synchronous_commit = on',
    'synchronous_commit = local',
  ],
  [{ kind: 'hidden', error: new Error('permission denied') }, 'the role lacks the privilege', undefined],
];

for (const [change, words, detail] of CHANGES)
  it(`warns an operator of a change of the server: ${change.kind}`, () => {
    const { logger, lines } = memoryLog();
    reportServerChange(change, logger);
    expect(lines()).toEqual([
      expect.objectContaining({ level: 'warn', dependency: 'store', msg: expect.stringContaining(words) }),
    ]);
    expect(lines()[0]?.['detail']).toBe(detail);
  });
