import type {
  AccessTokenRecognizer,
  InitialAccessTokenStore,
  InitialTokenReader,
  RegistrationAuthority,
  RegistrationDeps,
  RegistrationLimits,
} from '@vestibule/clients/registration';
import type { Request } from '@vestibule/http';
import type { ErrorCode } from '@vestibule/protocol';
import type { ClientCertificateReading } from '@vestibule/service/tls';
import type { VerificationDeps } from './verify-credential.js';

/** Ports and settings of the registration API. */
export interface RegistrationServiceDeps extends RegistrationDeps {
  readonly initialAccessTokens: InitialAccessTokenStore;
  readonly initialTokenReader?: InitialTokenReader;
  readonly accessTokens: AccessTokenRecognizer;
  /** Reads the client certificate of a request. Without it, tokens bound to a certificate are refused. */
  readonly clientCertificate?: (request: Request['raw']) => ClientCertificateReading;
  readonly limits?: RegistrationLimits;
  /** Called for each registration that is refused after its credential was accepted. Dry runs do not count. */
  readonly onRefusedRegistration?:
    | ((authority: RegistrationAuthority['kind'], code: ErrorCode) => void)
    | undefined;
  /** Verifies credentials that clients presented to the team's own server. */
  readonly verification: VerificationDeps;
  /**
   * The status of a successful registration: 200, or 201 for clients that insist on RFC 7591
   * section 3.2.1.
   */
  readonly createdStatus: 200 | 201;
  /** Origins whose pages may call the API. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** Whether the API document has a page. Default: false. */
  readonly hasApiPage?: boolean;
}
