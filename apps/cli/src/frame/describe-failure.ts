import { KeyEncryptionError } from '@vestibule/crypto/data-keys';
import { KeySetUnavailableError } from '@vestibule/crypto/public-keys';
import { KeyStateError } from '@vestibule/crypto/signing-keys';
import { databaseFault, SchemaTooOldError } from '@vestibule/database';
import { LocalServiceError } from '@vestibule/local-services';
import { DomainError, OutdatedServerError } from '@vestibule/protocol';
import { errorRecord } from '@vestibule/protocol/logging';
import { SettingsError, StartError } from '@vestibule/service/settings';
import { CommandFailure, EXIT, type ExitCode } from './command-failure.js';

/** A failure as shown to the user. */
export interface Failure {
  readonly exitCode: ExitCode;
  readonly sentence: string;
}

/** Errors whose message is written for operators. */
const SENTENCES = [KeyStateError, LocalServiceError, OutdatedServerError, StartError] as const;

/** Describes an error. Messages of libraries, which may quote their input, are never shown. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommandFailure) return { exitCode: error.exitCode, sentence: error.message };
  if (error instanceof SettingsError)
    return { exitCode: EXIT.usage, sentence: `Invalid settings:\n${indented(error.message)}` };
  if (error instanceof KeyEncryptionError)
    return failure('ENCRYPTION_KEYS cannot decrypt the keys of this database.');
  if (error instanceof KeySetUnavailableError)
    return failure(`AUTHORIZATION_SERVER_JWKS cannot be read: ${error.message}.`);
  if (error instanceof DomainError)
    return failure(`${sentence(error.description ?? error.code)} (${error.code})`);
  if (SENTENCES.some((type) => error instanceof type)) {
    const exitCode = error instanceof KeyStateError ? EXIT.conflict : EXIT.failed;
    return { exitCode, sentence: sentence(error instanceof Error ? error.message : '') };
  }
  const fault = error instanceof SchemaTooOldError ? 'outdated' : databaseFault(error);
  return failure(fault === undefined ? unexpected(error) : DATABASE_SENTENCES[fault]);
}

const DATABASE_SENTENCES = {
  refused: 'The database refuses the login: check user, password and database name in DATABASE_URL.',
  unreachable: 'The database cannot be reached: check the address in DATABASE_URL.',
  outdated: 'The database does not have the schema of this version: see vestibule db status.',
} as const;

/** Describes an unexpected error with the details that may be shown, so that it can be reported. */
function unexpected(error: unknown): string {
  const { type, code, message, stack = [] } = errorRecord(error);
  const what = [type, code, message].filter((part) => part !== undefined).join(' ');
  return `Unexpected error (${what}).${stack[0] === undefined ? '' : `\n  ${stack[0]}`}`;
}

function failure(text: string): Failure {
  return { exitCode: EXIT.failed, sentence: text };
}

/** Completes a message as a sentence. The name of a member at its beginning keeps its spelling. */
function sentence(text: string): string {
  const begun = /^\S*[_:[#]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

function indented(lines: string): string {
  return lines.replace(/^/gm, '  ');
}
