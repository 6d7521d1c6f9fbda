import { randomAlphanumeric, secureRandom } from '@vestibule/crypto';
import { parseClientId } from '@vestibule/protocol';
import { openHistory } from '../load/history.js';
import { issueLoneToken, type LoneToken, lonelyCopy } from '../load/lone-token.js';
import { inCluster } from './in-cluster.js';
import { plainResult } from './plain-result.js';
import type { Trial } from './trial.js';

const ROUNDS = 150;

/** Tokens that are introspected before and at the moment of their issue. */
export const FRESH_TOKEN: Trial = {
  id: 'fresh-token',
  title: 'tokens are asked about as soon as they are issued, and before they are, on both instances',
  run: (testEnvironment) =>
    inCluster(testEnvironment, {
      run: async ({ instances, installation }) => {
        const history = openHistory();
        for (let round = 0; round < ROUNDS; round += 1) {
          const model = await issueLoneToken(installation, round % 3 === 0 ? 'jwt' : 'identifier', 600);
          history.issued(model);
          await Promise.all(instances.map((instance) => history.ask(instance, model)));
          if (model.format === 'jwt') continue;
          // A token that is unknown and then exists, like an imported one.
          const later: LoneToken = {
            ...model,
            token: randomAlphanumeric(43, secureRandom),
            name: parseClientId(`later-${round}-${model.name}`) ?? model.name,
          };
          const before = instances.flatMap((instance) => [1, 2, 3].map(() => history.ask(instance, later)));
          await lonelyCopy(installation, model, later);
          history.issued(later);
          await Promise.all(instances.map((instance) => history.ask(instance, later)));
          await Promise.all(before);
        }
        return plainResult(history, { remarks: [`${ROUNDS} tokens`] });
      },
    }),
};
