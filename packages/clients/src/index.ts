export type {
  Client,
  ClientOrigin,
  ClientSecret,
  ClientStatus,
  EarlierClientSecret,
  FederationMembership,
  RegistrationToken,
} from './client.js';
export type {
  ClientReplacement,
  ClientRepository,
  CreateOutcome,
  TokenSpending,
} from './client-repository.js';
export type { InitialAccessToken, InitialAccessTokenStore } from './initial-access-token.js';
