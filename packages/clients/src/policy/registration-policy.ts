import type { JsonObject } from '@vestibule/protocol/json';
import type { Client } from '../client.js';
import type { ManagedClient } from '../managed-client.js';

/** The authority of a registration or update, as policies see it. */
export type PolicySubjectAuthority =
  | 'anonymous'
  | 'initial_access_token'
  | 'master_token'
  | 'registration_access_token'
  /** An operator who works on the store, with the granted scopes of the master token. */
  | 'operator'
  /** An entity with a trust chain. */
  | 'federation'
  /** The client ID metadata document of the client. */
  | 'metadata_document';

/** The members of an existing client that a policy sees; nothing secret. */
export type PolicyView = Pick<
  Client,
  'id' | 'metadata' | 'data' | 'grantedScopes' | 'origin' | 'registrar' | 'status'
>;

/** The subject of a registration policy. */
export interface PolicySubject {
  readonly authority: PolicySubjectAuthority;
  /** Requested custom data. */
  readonly data?: JsonObject | undefined;
  /** The current client; absent for a registration. */
  readonly client?: PolicyView;
}

/** A registration or update that a policy decides on. */
export interface PolicyRequest extends PolicySubject {
  /**
   * The requested metadata with software statement claims in place of plain members (RFC 7591 section 2.3): the known
   * members, of the right type, with the defaults of the policy and then the built-in ones. No other rule has checked
   * them yet.
   */
  readonly metadata: JsonObject;
}

/**
 * An operator's rules on registrations beyond the built-in ones (RFC 7591 section 2: a server may replace or refuse
 * requested metadata). Its result goes through all other rules and granted scopes, so a policy cannot permit what they
 * refuse. It decides on every registration and update, dry runs included, and must have no side effects: an accepted
 * registration can still fail.
 */
export interface RegistrationPolicy {
  /**
   * Values of members that a request leaves out. They replace the built-in defaults, which depend on them. Must not
   * contain `software_statement`; ignored for members that conflict with requested ones. Called once, before `evaluate`,
   * which sees them too. An error it throws becomes a 500.
   */
  defaults?(policySubject: PolicySubject): JsonObject;

  /**
   * Returns the metadata to register, changed or not. It must not change `software_statement`. The request waits for
   * the result, within the time limit of the service. Called once, and again only if the rules add or remove members of
   * the result.
   * @throws DomainError `invalid_client_metadata`, `invalid_redirect_uri`, `invalid_software_statement` or
   *   `unapproved_software_statement`, to refuse. Any other error becomes a 500.
   */
  evaluate(request: PolicyRequest): JsonObject | Promise<JsonObject>;
}

/** The policy subject of an update. */
export function managingPolicySubject(
  { client, operator, registrationToken }: ManagedClient,
  requestedData?: JsonObject,
): PolicySubject {
  const byToken = registrationToken === undefined ? 'master_token' : 'registration_access_token';
  return {
    authority: operator === undefined ? byToken : 'operator',
    data: requestedData,
    client: policyViewOf(client),
  };
}

/** What a policy sees of a client. */
export function policyViewOf({
  id,
  metadata,
  data,
  grantedScopes,
  origin,
  registrar,
  status,
}: Client): PolicyView {
  return {
    id,
    metadata,
    ...(data && { data }),
    grantedScopes,
    origin,
    ...(registrar && { registrar }),
    status,
  };
}
