import type { IncomingMessage } from 'node:http';
import type { ClientAuthDeps, ClientWatch } from '@vestibule/client-auth';
import type { ClientUses } from '@vestibule/clients';
import type { Encryptor, KeyRing } from '@vestibule/crypto';
import type { AsymmetricAlgorithm } from '@vestibule/protocol';
import type {
  ClientCertificateReading,
  CountClientRefusal,
  FailedAuthenticationThrottle,
} from '@vestibule/service-kit';
import type { IntrospectionDeps, IntrospectionFormat, SignedIntrospectionDeps } from '@vestibule/tokens';
import type { InactiveResponseRateLimit } from './inactive-response-rate-limit.js';
import type { IntrospectionOutcomes } from './introspection-outcomes.js';

/** What the introspection endpoint works with: ports and settings, nothing else. */
export interface IntrospectionServiceDeps extends IntrospectionDeps, SignedIntrospectionDeps, ClientAuthDeps {
  readonly keys: Pick<KeyRing, 'verificationKeys' | 'signingKey'>;
  /** Signs answers, unless the client registered another one. */
  readonly algorithm: AsymmetricAlgorithm;
  /** The one format of all responses; absent where `Accept` chooses. */
  readonly format?: IntrospectionFormat;
  /** Opens client secrets, for messages that are keyed with them. */
  readonly encryptor: Pick<Encryptor, 'open'>;
  /** Reads the client certificate of a request; without it nobody proves itself with one. */
  readonly clientCertificate?: (message: IncomingMessage) => ClientCertificateReading;
  /** Counts what was decided; without it nobody does. */
  readonly outcomes?: IntrospectionOutcomes;
  /** How many inactive answers a caller gets; without it as many as it asks for. */
  readonly inactiveResponseRateLimit?: InactiveResponseRateLimit;
  /** Counts callers that are not authenticated. */
  readonly countRefusal?: CountClientRefusal;
  /** Delays responses to failed authentications; without it they are sent at once. */
  readonly failedAuthentications?: FailedAuthenticationThrottle;
  /** Knows when what was read of a client may be wrong; without it nothing of a caller is remembered. */
  readonly watch?: ClientWatch;
  /** Told of every caller; without it nobody learns which clients are in use. */
  readonly clientUses?: ClientUses;
  /** Whether the API document has a page. Default not. */
  readonly hasApiPage?: boolean;
}
