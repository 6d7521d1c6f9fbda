import type { IncomingMessage } from 'node:http';
import type { ClientAuthDeps } from '@vestibule/client-auth';
import type { ClientWatch } from '@vestibule/client-auth/cache';
import type { ClientUses } from '@vestibule/clients';
import type { Encryptor } from '@vestibule/crypto/data-keys';
import type { KeyRing } from '@vestibule/crypto/signing-keys';
import type { AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import type { CountClientRefusal, FailedAuthenticationThrottle } from '@vestibule/service';
import type { ClientCertificateReading } from '@vestibule/service/tls';
import type {
  InactiveResponseRateLimit,
  IntrospectionDeps,
  IntrospectionFormat,
  SignedIntrospectionDeps,
} from '@vestibule/tokens/introspection';
import type { ChangeStreams } from './change-streams.js';
import type { IntrospectionOutcomes } from './introspection-outcomes.js';

/** The ports and settings that the introspection endpoint needs. */
export interface IntrospectionServiceDeps extends IntrospectionDeps, SignedIntrospectionDeps, ClientAuthDeps {
  readonly keys: Pick<KeyRing, 'verificationKeys' | 'signingKey'>;
  /** Algorithm of signed responses, unless the client registered another one. */
  readonly algorithm: AsymmetricAlgorithm;
  /** Format of all responses. Default: negotiated by `Accept`. */
  readonly format?: IntrospectionFormat;
  /** Decrypts client secrets, to verify and encrypt messages that are keyed with them. */
  readonly encryptor: Pick<Encryptor, 'open'>;
  /** Reads the client certificate of a request. Without it, clients cannot authenticate with mutual TLS. */
  readonly clientCertificate?: (message: IncomingMessage) => ClientCertificateReading;
  /** Counts introspection decisions. Default: not counted. */
  readonly outcomes?: IntrospectionOutcomes;
  /** Limits the inactive responses of each caller. Default: no limit. */
  readonly inactiveResponseRateLimit?: InactiveResponseRateLimit;
  /** Counts failed client authentications. */
  readonly countRefusal?: CountClientRefusal;
  /** Delays responses to failed authentications. Default: no delay. */
  readonly failedAuthentications?: FailedAuthenticationThrottle;
  /** Reports changes of clients. Without it, neither clients nor authentications are cached. */
  readonly watch?: ClientWatch;
  /** The stream of changes. Without it, responses have no cache tags, and the stream is not found. */
  readonly changes?: ChangeStreams;
  /** Records which clients are in use. Default: not recorded. */
  readonly clientUses?: ClientUses;
  /**
   * Whether usual requests with a JSON response are served in front of Fastify, which runs no hooks of the server.
   * Default: no.
   */
  readonly hasFastPath?: boolean;
  /** Whether the API document has a page. Default: no. */
  readonly hasApiPage?: boolean;
}
