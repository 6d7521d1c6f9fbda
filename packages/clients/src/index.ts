export {
  type AuditActor,
  type OperatorActor,
  operatorActor,
  PROGRAM_LABELS,
  programActor,
} from './audit-actor.js';
export {
  CLIENT_ORIGINS,
  CLIENT_STATUSES,
  type Client,
  type ClientOrigin,
  type ClientRegistrar,
  type ClientSecret,
  type ClientSecretHash,
  type ClientStatus,
  type FederationMembership,
  type PreviousClientSecret,
  type RegistrationToken,
} from './client.js';
export { type ClientInformation, revealCredentials } from './client-information.js';
export { type ClientOwner, type ClientOwnership, parseClientOwner } from './client-owner.js';
export type {
  ClientReplacement,
  ClientRepository,
  CreateOutcome,
  CreationTerms,
  TokenConsumption,
  UnusedClient,
  UnusedClients,
} from './client-repository.js';
export { type ClientResponse, type EntityTagCondition, matchesEntityTag } from './client-response.js';
export type { ClientUses } from './client-uses.js';
export {
  type ActiveClientDeps,
  findActiveClient,
  isActiveClient,
} from './find-active-client.js';
