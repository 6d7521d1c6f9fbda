import type { ProviderRecords } from '@vestibule/tokens/provider';
import { CLIENT_STATEMENTS } from '../client-repository.js';
import { USE_INTERVAL_SECONDS } from '../record-client-use.js';
import type { RunStatement } from '../statement.js';
import { type Traceparent, untraced } from '../traced-statements.js';
import { accessTokenRecords } from './access-token-records.js';
import { artifactRecords } from './artifact-records.js';
import { authorizationRecords } from './authorization-records.js';
import { refreshTokenRecords } from './refresh-token-records.js';
import { sessionRecords } from './session-records.js';

/** Creates the records of an authorization server in Postgres. */
export function providerRecords(run: RunStatement, traceparent: Traceparent = untraced): ProviderRecords {
  return {
    accessTokens: accessTokenRecords(run),
    refreshTokens: refreshTokenRecords(run),
    authorizations: authorizationRecords(run),
    sessions: sessionRecords(run, traceparent),
    clientUses: {
      note: async (clientId, now) => {
        await run(CLIENT_STATEMENTS.markUsed, [[clientId], now, USE_INTERVAL_SECONDS]);
      },
    },
    artifacts: artifactRecords(run),
  };
}
