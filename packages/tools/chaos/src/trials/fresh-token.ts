import { randomAlphanumeric, secureRandom } from '@vestibule/crypto';
import { parseClientId } from '@vestibule/protocol';
import { openHistory } from '../load/history.js';
import { type IsolatedToken, isolatedCopy, issueIsolatedToken } from '../load/isolated-token.js';
import { inCluster } from './in-cluster.js';
import { plainResult } from './plain-result.js';
import type { Trial } from './trial.js';

const ROUNDS = 150;

/** Tokens that are introspected before and at the moment of their issue. */
export const FRESH_TOKEN: Trial = {
  id: 'fresh-token',
  title: 'tokens are introspected before and immediately after their issue on both instances',
  run: (testEnvironment) =>
    inCluster(testEnvironment, {
      run: async ({ instances, installation }) => {
        const history = openHistory();
        for (let round = 0; round < ROUNDS; round += 1) {
          const model = await issueIsolatedToken(installation, round % 3 === 0 ? 'jwt' : 'identifier', 600);
          history.issued(model);
          await Promise.all(instances.map((instance) => history.introspect(instance, model)));
          if (model.format === 'jwt') continue;
          // A token that is unknown and then exists, like an imported one.
          const later: IsolatedToken = {
            ...model,
            token: randomAlphanumeric(43, secureRandom),
            name: parseClientId(`later-${round}-${model.name}`) ?? model.name,
          };
          const before = instances.flatMap((instance) =>
            [1, 2, 3].map(() => history.introspect(instance, later)),
          );
          await isolatedCopy(installation, model, later);
          history.issued(later);
          await Promise.all(instances.map((instance) => history.introspect(instance, later)));
          await Promise.all(before);
        }
        return plainResult(history, { remarks: [`${ROUNDS} tokens`] });
      },
    }),
};
