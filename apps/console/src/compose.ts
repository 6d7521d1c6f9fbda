import type { OtherServerKeys } from '@vestibule/crypto/signing-keys';
import type { Store } from '@vestibule/database';
import type { Egress } from '@vestibule/egress';
import { composeFederation } from '@vestibule/federation-service';
import { composeIntrospection } from '@vestibule/introspection';
import { composeRegistration } from '@vestibule/registration';
import type { ConsoleConfig } from './config.js';
import type { ConsoleDeps } from './deps.js';
import type { Figures } from './figures/figures.js';
import { overviewFigures } from './figures/overview-figures.js';
import { loginClient } from './login/login-client.js';

/** What the console needs beside its settings and the store. */
export interface ConsoleParts {
  readonly egress: Egress;
  /** Keys of the operator's authorization server. Default: none. */
  readonly authorizationServerKeys: OtherServerKeys | undefined;
  /** For entities of federations, so that a slow one delays nothing else. */
  readonly federationEgress: Egress;
  /** Absent if nothing reads the metrics of the services. */
  readonly figures: Figures | undefined;
  /**
   * Counts an export of audit events.
   * @throws ThrottledError if there are too many
   */
  readonly admitExport: ConsoleDeps['admitExport'];
  /** Called for each problem with the federation, for the log. */
  readonly onFederationProblem: (error: unknown) => void;
}

/** Composes what the pages work on, as the command line does. */
export function composeConsole(config: ConsoleConfig, store: Store, parts: ConsoleParts): ConsoleDeps {
  const {
    egress,
    authorizationServerKeys,
    federationEgress,
    figures,
    admitExport,
    onFederationProblem: onProblem,
  } = parts;
  const { limits: _, ...registration } = composeRegistration(config.registration, store, { egress });
  // Without a cache: what operators see is the state of the database.
  const { inactiveResponseRateLimit: _limit, ...introspection } = composeIntrospection(
    config.introspection,
    store,
    undefined,
    { egress, authorizationServerKeys },
  );
  const { federation } = composeFederation(config.federation, store, {
    egress: federationEgress,
    onProblem,
  });
  return {
    store,
    issuer: config.BASE_URL,
    registration,
    loginClient: loginClient(config),
    initialTokens: {
      tokenLength: config.ACCESS_TOKEN_LENGTH,
      algorithm: config.ACCESS_TOKEN_SIGNING_ALG,
      lifetimeSeconds: config.INITIAL_ACCESS_TOKEN_LIFETIME_SECONDS,
    },
    introspection,
    keyEncryptionKeys: config.ENCRYPTION_KEYS,
    keyCopySeconds: {
      provider: config.KEY_SET_MAX_AGE_SECONDS,
      federation: config.FEDERATION_STATEMENT_LIFETIME_SECONDS,
    },
    federation,
    admitExport,
    overview: overviewFigures({ activity: store.database.activity, clock: store.clock, figures }),
  };
}
