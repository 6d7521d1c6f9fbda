import { parseScope } from '@vestibule/scopes';
import { isCertificateSubject } from '../certificate-subject.js';
import { TLS_SUBJECT_MEMBERS } from '../metadata-defaults.js';
import { invalidMetadata } from '../metadata-error.js';
import { elementName, type MetadataRule, type RuleContext } from '../metadata-rule.js';
import { isBlankText } from '../plain-text.js';
import { sectorIdentifier } from '../sector-identifier.js';
import { resourceIdentifierProblem } from '../uris/resource-identifier.js';

/** The authentication method is enabled (RFC 7591 section 2). */
export const supportedAuthMethod: MetadataRule = ({ members, supported }) => {
  if (!supported.authMethods.some((method) => method === members.token_endpoint_auth_method)) {
    throw invalidMetadata(
      'token_endpoint_auth_method',
      `names a method that is not supported (supported: ${supported.authMethods.join(', ')})`,
    );
  }
};

/** The subject of a client certificate is given in exactly one form (RFC 8705 section 2.1.2). */
export const oneCertificateSubject: MetadataRule = ({ members }) => {
  if (members.token_endpoint_auth_method !== 'tls_client_auth') return;
  const given = TLS_SUBJECT_MEMBERS.filter((name) => members[name] !== undefined);
  const [name, ...others] = given;
  if (name === undefined || others.length > 0) {
    throw invalidMetadata('token_endpoint_auth_method', 'needs exactly one of the tls_client_auth members');
  }
  if (!isCertificateSubject(name, members[name] ?? '')) {
    throw invalidMetadata(name, 'does not have the form of such a certificate subject');
  }
};

/** Contacts are free text (RFC 7591 section 2). */
export const nonEmptyContacts: MetadataRule = (context) => {
  const empty = (context.members.contacts ?? []).find((contact) => isBlankText(contact));
  if (empty !== undefined)
    throw invalidMetadata(elementName(context, 'contacts', empty), 'must not be empty');
};

/** `scope` is within the configured length. */
export const boundedScope: MetadataRule = ({ members, settings: { maxScopeLength } }) => {
  if (members.scope !== undefined && members.scope.length > maxScopeLength) {
    throw invalidMetadata(
      'scope',
      `must be a string of at most ${maxScopeLength} characters (CLIENT_SCOPE_MAX_LENGTH of the server)`,
    );
  }
};

/** `scope` follows the grammar of scopes (RFC 6749 section 3.3). */
export const wellFormedScope: MetadataRule = ({ members }) => {
  if (members.scope !== undefined && parseScope(members.scope) === undefined) {
    throw invalidMetadata('scope', 'must be scope values separated by single spaces');
  }
};

/** The subject type is supported (OpenID Connect Core 1.0 section 8). */
export const supportedSubjectType: MetadataRule = ({ members, supported }) => {
  if (!supported.subjectTypes.some((type) => type === members.subject_type)) {
    throw invalidMetadata('subject_type', 'names a type that is not supported');
  }
};

/** A pairwise client with a response type has one sector (OpenID Connect Core 1.0 section 8.1). */
export const oneSector: MetadataRule = ({ members }) => {
  const needsSector = members.subject_type === 'pairwise' && members.response_types.length > 0;
  if (needsSector && sectorIdentifier(members) === undefined) {
    throw invalidMetadata(
      'sector_identifier_uri',
      'is needed unless all redirect URIs are https on one host and port',
    );
  }
};

/** Federation registration types are known (OpenID Federation 1.0 section 5.1.2). */
export const knownRegistrationTypes: MetadataRule = (context) => {
  refuseOthers(context, 'client_registration_types', context.supported.clientRegistrationTypes);
};

/** Resource identifiers are absolute URIs without a fragment (RFC 8707 section 2). */
export const absoluteResourceIdentifiers: MetadataRule = (context) => {
  for (const identifier of context.members.resource_identifiers ?? []) {
    const problem = resourceIdentifierProblem(identifier);
    if (problem !== undefined)
      throw invalidMetadata(elementName(context, 'resource_identifiers', identifier), problem);
  }
};

/** `resource_scopes` follows the grammar of scopes (RFC 6749 section 3.3). */
export const wellFormedResourceScopes: MetadataRule = ({ members }) => {
  if (members.resource_scopes !== undefined && parseScope(members.resource_scopes) === undefined) {
    throw invalidMetadata('resource_scopes', 'must be scope values separated by single spaces');
  }
};

/** Authorization details types are supported (RFC 9396 section 10). */
export const supportedAuthorizationDetails: MetadataRule = (context) => {
  refuseOthers(context, 'authorization_details_types', context.supported.authorizationDetailsTypes);
};

function refuseOthers(
  context: RuleContext,
  member: 'client_registration_types' | 'authorization_details_types',
  supported: readonly string[],
): void {
  const other = (context.members[member] ?? []).find((type) => !supported.includes(type));
  if (other !== undefined) {
    throw invalidMetadata(
      elementName(context, member, other),
      `is not a supported type (supported: ${supported.join(', ')})`,
    );
  }
}

/** A software statement has the form of a signed JWT (RFC 7591 section 2.3). Its signature is verified elsewhere. */
export const softwareStatementForm: MetadataRule = ({ members }) => {
  const statement = members.software_statement;
  if (statement !== undefined && !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(statement)) {
    throw invalidMetadata('software_statement', 'must be a signed JWT in compact form');
  }
};
