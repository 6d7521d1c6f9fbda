import type { ProviderRecords } from '@vestibule/tokens';
import type { RunStatement } from '../statement.js';
import { type Traceparent, untraced } from '../traced-statements.js';
import { accessTokenRecords } from './access-token-records.js';
import { artifactRecords } from './artifact-records.js';
import { authorizationRecords } from './authorization-records.js';
import { refreshTokenRecords } from './refresh-token-records.js';
import { sessionRecords } from './session-records.js';

/** What an authorisation server keeps, in Postgres. */
export function providerRecords(run: RunStatement, traceparent: Traceparent = untraced): ProviderRecords {
  return {
    accessTokens: accessTokenRecords(run),
    refreshTokens: refreshTokenRecords(run),
    authorizations: authorizationRecords(run),
    sessions: sessionRecords(run, traceparent),
    artifacts: artifactRecords(run),
  };
}
