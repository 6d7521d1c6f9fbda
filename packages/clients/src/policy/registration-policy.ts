import type { JsonObject } from '@vestibule/protocol';
import type { ManagedClient } from '../authorize-management.js';
import type { Client } from '../client.js';

/** By what right someone registers or updates a client. */
export type PolicySubjectAuthority =
  | 'anonymous'
  | 'initial_access_token'
  | 'master_token'
  | 'registration_access_token'
  /** Who works on the store itself, with the rights of the master token. */
  | 'operator'
  /** An entity that a trust chain vouches for. */
  | 'federation';

/** What a policy is told of a client that is to be updated: nothing secret. */
export type PresentRegistration = Pick<
  Client,
  'id' | 'metadata' | 'data' | 'rights' | 'origin' | 'registrar' | 'status'
>;

/** Who registers or updates a client. */
export interface PolicySubject {
  readonly authority: PolicySubjectAuthority;
  /** Custom data that is asked for. */
  readonly data?: JsonObject | undefined;
  /** The client as it is, where one is updated; absent at a registration. */
  readonly client?: PresentRegistration;
}

/** A registration or update that a policy decides on. */
export interface PolicyRequest extends PolicySubject {
  /**
   * What is asked for, software statement claims in the place of plain members (RFC 7591 section 2.3): the members that
   * are understood, each of its type, defaults filled in, those of the policy before the built-in ones. No other rule
   * has judged it yet.
   */
  readonly metadata: JsonObject;
}

/**
 * What an operator wants of registrations beyond the rules and rights (RFC 7591 section 2: a server may replace or
 * refuse what is asked for). Whatever it gives back is judged by all of them, so that it can permit nothing that they
 * refuse. It decides on every registration and update, rehearsals included, and does nothing else: a registration that
 * it accepted can fail afterwards.
 */
export interface RegistrationPolicy {
  /**
   * Values of members that a request leaves out, in the place of the built-in defaults, which go by them. Without
   * `software_statement`, and of no member that what the request gives excludes. Asked once, before `judge`, which
   * decides on them with the rest. Whatever it throws is a fault of ours.
   */
  defaults?(policySubject: PolicySubject): JsonObject;

  /**
   * The metadata to register: as it was, or changed. It must not touch `software_statement`, which is vouched for as it
   * is. The request waits for it: how long, whoever composes a service decides. Asked once, and again only where the
   * rules have filled in or left out members of what it gave back.
   * @throws DomainError `invalid_client_metadata`, `invalid_redirect_uri`, `invalid_software_statement` or
   *   `unapproved_software_statement`, to refuse. Everything else that it throws is a fault of ours.
   */
  judge(request: PolicyRequest): JsonObject | Promise<JsonObject>;
}

/** Who updates a client. */
export function managingPolicySubject(
  { client, operator, registrationToken }: ManagedClient,
  requestedData?: JsonObject,
): PolicySubject {
  const byToken = registrationToken === undefined ? 'master_token' : 'registration_access_token';
  return {
    authority: operator === undefined ? byToken : 'operator',
    data: requestedData,
    client: presentRegistration(client),
  };
}

/** What a policy is told of a client. */
export function presentRegistration({
  id,
  metadata,
  data,
  rights,
  origin,
  registrar,
  status,
}: Client): PresentRegistration {
  return { id, metadata, ...(data && { data }), rights, origin, ...(registrar && { registrar }), status };
}
