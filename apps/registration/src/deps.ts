import type { AccessTokenRecogniser, InitialAccessTokenStore, RegistrationDeps } from '@vestibule/clients';

/** What the registration endpoint works with: ports and settings, nothing else. */
export interface RegistrationServiceDeps extends RegistrationDeps {
  readonly initialAccessTokens: InitialAccessTokenStore;
  readonly accessTokens: AccessTokenRecogniser;
  /** The status of a successful registration: 200 by Seed 4.1, 201 for clients that insist on RFC 7591 section 3.2.1. */
  readonly createdStatus: 200 | 201;
}
