import type {
  AccessTokenRecogniser,
  InitialAccessTokenStore,
  InitialTokenReader,
  RegistrationDeps,
  RegistrationLimits,
} from '@vestibule/clients';
import type { ClientCertificateReading, Request } from '@vestibule/service-kit';

/** What the registration endpoint works with: ports and settings, nothing else. */
export interface RegistrationServiceDeps extends RegistrationDeps {
  readonly initialAccessTokens: InitialAccessTokenStore;
  readonly initialTokenReader?: InitialTokenReader;
  readonly accessTokens: AccessTokenRecogniser;
  /** What a request says about a client certificate; without it tokens that are bound to one open nothing. */
  readonly clientCertificate?: (request: Request['raw']) => ClientCertificateReading;
  readonly limits?: RegistrationLimits;
  /**
   * The status of a successful registration: 200, or 201 for clients that insist on RFC 7591
   * section 3.2.1.
   */
  readonly createdStatus: 200 | 201;
  /** The origins whose pages may call the endpoint. Default none. */
  readonly allowedOrigins?: readonly string[];
  /** Whether the API document has a page. Default not. */
  readonly hasApiPage?: boolean;
}
