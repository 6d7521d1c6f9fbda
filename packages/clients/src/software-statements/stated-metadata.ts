import type { ClientMetadata } from '@vestibule/metadata';
import { readLanguageName } from '@vestibule/metadata/language-names';
import { DomainError } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { withoutOverruled } from '../registration/alternative-members.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { present } from '../registration/registration-request.js';

/**
 * Returns the requested members with the claims of the software statement in place of plain members; the statement
 * itself stays as it came (RFC 7591 sections 2.3 and 3.1.1). Members are not validated together, and claims that are
 * not metadata have no more effect than such plain members. If the statement is the registered one, its issuer must
 * still be trusted, but its expiry is not checked; otherwise the client could not be changed any more.
 *
 * @param registered the metadata of the client that is updated
 * @throws DomainError `invalid_software_statement` or `unapproved_software_statement`.
 */
export async function withStatedMetadata(
  { softwareStatements, settings }: Pick<RegistrationDeps, 'softwareStatements' | 'settings'>,
  requested: JsonObject,
  registered?: ClientMetadata,
): Promise<JsonObject> {
  const statement = present(requested, 'software_statement');
  if (statement === undefined && !settings.softwareStatementRequired) return requested;
  if (statement === undefined) throw invalid('A software statement is required.');
  if (typeof statement !== 'string') throw invalid('The software statement must be a string.');
  if (softwareStatements === undefined) {
    throw new DomainError(
      'unapproved_software_statement',
      'No issuer of software statements is trusted here.',
    );
  }
  const isRegistered = statement === registered?.software_statement;
  const claims = await softwareStatements[isRegistered ? 'readVerified' : 'verify'](statement);
  return { ...overrule(requested, claims), software_statement: statement };
}

/** Replaces plain members by claims. A claim that is `null` counts as absent. */
function overrule(plain: JsonObject, claims: JsonObject): JsonObject {
  const stated = Object.entries(claims).filter(([, value]) => value !== null);
  const kept = Object.entries(withoutOverruled(plain, claims)).filter(([name]) => !isVariant(name, claims));
  return Object.fromEntries([...kept, ...stated]);
}

// Otherwise a client could show another name than the stated one to readers of another language.
function isVariant(name: string, claims: JsonObject): boolean {
  const { member, tag } = readLanguageName(name);
  return tag !== undefined && present(claims, member) !== undefined;
}

function invalid(description: string): DomainError {
  return new DomainError('invalid_software_statement', description);
}
