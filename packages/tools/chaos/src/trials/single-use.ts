import { openHistory } from '../load/history.js';
import { issueIsolatedToken } from '../load/isolated-token.js';
import { inCluster } from './in-cluster.js';
import { plainResult } from './plain-result.js';
import type { Trial } from './trial.js';

const TOKENS = 20;
const CALLERS = 100;

/** Many callers use up one token at the same moment on both instances. */
export const SINGLE_USE: Trial = {
  id: 'single-use',
  title: `${CALLERS} callers use up one token on both instances at the same moment`,
  run: (testEnvironment) =>
    inCluster(testEnvironment, {
      run: async ({ instances, installation }) => {
        const history = openHistory();
        const winners: number[] = [];
        for (let round = 0; round < TOKENS; round += 1) {
          const token = await issueIsolatedToken(installation, 'identifier', 600);
          history.issued(token);
          for (const instance of instances) await history.introspect(instance, token);
          const outcomes = await Promise.all(
            Array.from({ length: CALLERS }, (_, index) =>
              history.introspect(instances[index % 2] ?? instances[0], token, true),
            ),
          );
          winners.push(outcomes.filter((outcome) => outcome === 'active').length);
        }
        return plainResult(history, {
          staleMs: 1_000,
          remarks: [`${TOKENS} tokens, each active for exactly one caller`],
          problems: winners.some((count) => count !== 1) ? ['a token had no winner, or several'] : [],
        });
      },
    }),
};
