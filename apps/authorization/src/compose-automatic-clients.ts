import { createMasterToken } from '@vestibule/clients';
import { createRemoteKeySets } from '@vestibule/crypto';
import type { Store } from '@vestibule/database';
import { type Egress, keySetFetcher } from '@vestibule/egress';
import { automaticRegistration } from '@vestibule/enrolment';
import type { Clock } from '@vestibule/protocol';
import { composeEnrolment } from '@vestibule/service-kit/federation';
import type { AuthorizationConfig } from './config.js';
import type { AutomaticClients } from './provider/provider-deps.js';

/** What registering entities automatically takes beside settings and store. */
export interface AutomaticClientParts {
  readonly clock: Clock;
  readonly egress: Pick<Egress, 'fetchDocument'>;
  readonly onProblem: (error: unknown) => void;
}

/** Automatic registration over a store, as the settings want it. */
export function automaticClients(
  config: AuthorizationConfig,
  store: Pick<Store, 'database' | 'sealer' | 'digester'>,
  { clock, egress, onProblem }: AutomaticClientParts,
): AutomaticClients {
  const masterToken = createMasterToken(config.MASTER_TOKEN_SHA256);
  const enrolment = {
    ...composeEnrolment(config, store, { clock, egress, masterToken }),
    replays: store.database.replays,
    remoteKeySets: createRemoteKeySets({ fetch: keySetFetcher(egress), clock }),
    clientLifetimeSeconds: config.FEDERATION_AUTOMATIC_CLIENT_LIFETIME_SECONDS,
    proofMaxLifetimeSeconds: config.ASSERTION_MAX_LIFETIME_SECONDS,
    failureMemorySeconds: config.FEDERATION_FAILURE_MEMORY_SECONDS,
  };
  return { ...automaticRegistration(enrolment, onProblem), allowHosts: enrolment.allowHosts };
}
