import { type ClientFileProblem, clientFileProblems } from '@vestibule/metadata';
import { type ClientId, DomainError, parseClientId } from '@vestibule/protocol';
import { isJsonObject, type JsonObject } from '@vestibule/protocol/json';
import { isPresetId } from '../registration/registration-request.js';

/** A client as a file declares it. */
export interface DeclaredClient {
  readonly id: ClientId;
  /** Its members without `client_id`. What is left out has its default; without `data` there is none. */
  readonly members: JsonObject;
}

/** A declared client, or every problem of its form. */
export type ReadClient =
  | { readonly client: DeclaredClient }
  | { readonly problems: readonly ClientFileProblem[] };

/** Reads a client of a file. */
export function readDeclaredClient(value: unknown): ReadClient {
  const problems = clientFileProblems(value);
  if (problems.length > 0 || !isJsonObject(value)) return { problems };
  const { client_id: given, ...members } = value;
  const id = parseClientId(given);
  if (id === undefined || !isPresetId(id))
    return { problems: [{ member: 'client_id', problem: 'must not be . or ..' }] };
  return { client: { id, members } };
}

const MEMBER = /^([a-z_]+(?:#[A-Za-z0-9-]+)?(?:\[\d+\])*): (.*)$/s;

/**
 * Describes the refusal of a declared client by the rules, in the terms of files.
 * @throws the error itself if it is not about the client
 */
export function refusalOf(error: unknown): ClientFileProblem {
  if (!(error instanceof DomainError)) throw error;
  const { description } = error;
  const [, member, problem] = MEMBER.exec(description) ?? [];
  if (member === undefined || problem === undefined) return { member: '', problem: description };
  return { member: member === 'preferred_client_id' ? 'client_id' : member, problem };
}
