import { type ActiveClientDeps, findActiveClient } from '@vestibule/clients';
import { randomAlphanumeric } from '@vestibule/crypto';
import { type ClientId, type Clock, DomainError, nowSeconds, type RandomSource } from '@vestibule/protocol';
import type { ProviderRecords } from '@vestibule/tokens/provider';
import { Type } from 'typebox';
import { MAX_NAME_LENGTH, SAFE_TEXT } from './direct-authorization-request.js';

/** Length of a client's `sid`, in characters: more than 128 bits. */
const SID_LENGTH = 22;

/** The JSON body of POST /direct-authz/sessions/{sid}/clients: the client, and the end-user of the session. */
export const SessionClientRequest = Type.Object(
  {
    client_id: Type.String({
      minLength: 1,
      maxLength: 2048,
      pattern: SAFE_TEXT,
      description: 'The client that the end-user logs in to.',
    }),
    sub: Type.String({
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      pattern: SAFE_TEXT,
      description: 'The end-user of the session.',
    }),
  },
  { $id: 'SessionClientRequest', additionalProperties: false },
);

/** A request to add a client to a session. */
export type SessionClientRequest = Type.Static<typeof SessionClientRequest>;

/** The client in the session, for the API document. */
export const SessionClientSchema = Type.Object(
  { sid: Type.String({ description: 'The `sid` by which the client knows the session.' }) },
  { $id: 'SessionClient', description: 'A client that is in a session.' },
);

/** Dependencies of {@link enterSession}. */
export interface EnterSessionDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly sessions: Pick<ProviderRecords['sessions'], 'addClient'>;
}

/**
 * Adds a client that is about to receive an ID token to a session.
 * @returns the `sid` with which the client is notified when the session ends (OpenID Connect Back-Channel Logout 1.0
 * section 2.1); `undefined` if `name` is not a live session of this end-user
 */
export function enterSession(
  { sessions, random, clock }: EnterSessionDeps,
  name: string,
  { clientId, subject }: { readonly clientId: ClientId; readonly subject: string },
): Promise<string | undefined> {
  const added = { clientId, subject, sid: randomAlphanumeric(SID_LENGTH, random) };
  return sessions.addClient(name, added, nowSeconds(clock));
}

/**
 * Adds a client to a session as requested by the operator, whose own server issues the ID token.
 * @throws DomainError `invalid_request` if the client is not registered, `not_found` if there is no such live session of
 * the end-user
 */
export async function enterDirectSession(
  deps: EnterSessionDeps & ActiveClientDeps,
  name: string,
  { client_id: id, sub: subject }: SessionClientRequest,
): Promise<{ readonly sid: string }> {
  const client = await findActiveClient(deps, id);
  if (client === undefined) throw new DomainError('invalid_request', 'client_id: is not a registered client');
  const sid = isNameable(name) ? await enterSession(deps, name, { clientId: client.id, subject }) : undefined;
  if (sid === undefined) throw new DomainError('not_found', 'there is no such session of this end-user');
  return { sid };
}

/** Whether a text from a path can be the identifier of a session. */
export function isNameable(name: string): boolean {
  return name !== '' && name.length <= MAX_NAME_LENGTH && !name.includes('\0');
}
