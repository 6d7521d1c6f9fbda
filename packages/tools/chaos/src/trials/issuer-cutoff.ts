import { setTimeout as pause } from 'node:timers/promises';
import { nowSeconds, parseIssuer, systemClock } from '@vestibule/protocol';
import { openHistory } from '../load/history.js';
import { type IsolatedToken, issueIsolatedToken } from '../load/isolated-token.js';
import { ISSUER } from '../test-environment/installation.js';
import { inCluster } from './in-cluster.js';
import { plainResult } from './plain-result.js';
import type { Trial } from './trial.js';

const TOKENS = 40;
const WATCH_MS = 1_500;

/** All self-contained tokens of an issuer are revoked. */
export const ISSUER_CUTOFF: Trial = {
  id: 'issuer-cutoff',
  title: 'every self-contained token of the issuer is revoked at once',
  run: (testEnvironment) =>
    inCluster(testEnvironment, {
      run: async ({ instances, installation }) => {
        const history = openHistory();
        const tokens: IsolatedToken[] = [];
        for (let index = 0; index < TOKENS; index += 1) {
          const token = await issueIsolatedToken(installation, index % 4 === 0 ? 'identifier' : 'jwt', 600);
          history.issued(token);
          tokens.push(token);
          for (const instance of instances) await history.introspect(instance, token);
        }
        let cutoff: Promise<void> | undefined;
        const revokeOnce = () => {
          cutoff ??= installation.store.database.revocations.revokeIssuer(
            parseIssuer(ISSUER),
            nowSeconds(systemClock),
          );
          return cutoff;
        };
        const jwts = tokens.filter(({ format }) => format === 'jwt');
        await Promise.all(jwts.map((token) => history.revoke(token, revokeOnce)));
        const end = performance.now() + WATCH_MS;
        while (performance.now() < end) {
          await Promise.all(
            tokens.flatMap((token) => instances.map((instance) => history.introspect(instance, token))),
          );
          await pause(5);
        }
        return plainResult(history, { staleMs: 1_000, remarks: [`${jwts.length} tokens`] });
      },
    }),
};
