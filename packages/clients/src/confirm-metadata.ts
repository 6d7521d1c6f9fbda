import { type ClientMetadata, checkSectorIdentifier, validateClientMetadata } from '@vestibule/metadata';
import { DomainError, type JsonObject } from '@vestibule/protocol';
import type { RegistrationDeps } from './registration-deps.js';

/**
 * The metadata that a request asks for once the claims of its software statement have taken the place of plain members
 * (RFC 7591 section 2.3).
 * @throws DomainError as the rules on metadata and the verifier decide.
 */
export async function effectiveMetadata(
  deps: RegistrationDeps,
  requested: JsonObject,
): Promise<ClientMetadata> {
  const { supported, settings } = deps;
  const plain = validateClientMetadata(requested, supported, settings.metadata);
  const statement = plain.software_statement;
  if (statement === undefined && !settings.softwareStatementRequired) return plain;
  if (statement === undefined) {
    throw new DomainError('invalid_software_statement', 'A software statement is required.');
  }
  if (deps.softwareStatements === undefined) {
    throw new DomainError(
      'unapproved_software_statement',
      'No issuer of software statements is trusted here.',
    );
  }
  const claims = await deps.softwareStatements.verify(statement);
  const merged = { ...requested, ...claims, software_statement: statement };
  return validateClientMetadata(merged, supported, settings.metadata);
}

/**
 * Checks the one thing about metadata that needs a look outside: that the document at `sector_identifier_uri` lists
 * every redirect URI (OpenID Connect Dynamic Client Registration 1.0 section 5).
 * @throws DomainError `invalid_client_metadata`
 */
export async function confirmSector(deps: RegistrationDeps, metadata: ClientMetadata): Promise<void> {
  const uri = metadata.sector_identifier_uri;
  if (uri === undefined) return;
  if (deps.sectorIdentifiers === undefined) {
    throw new DomainError(
      'invalid_client_metadata',
      'The client metadata member sector_identifier_uri is not supported here.',
    );
  }
  checkSectorIdentifier(await deps.sectorIdentifiers.read(uri), metadata);
}
