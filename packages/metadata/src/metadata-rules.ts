import type { MetadataRule } from './metadata-rule.js';
import {
  assertionAlgorithmOfTheMethod,
  encryptionAsAWhole,
  noSharedKeyOfPublicClients,
  supportedAlgorithms,
} from './rules/algorithm-rules.js';
import {
  absoluteResourceIdentifiers,
  boundedScope,
  knownRegistrationTypes,
  nonEmptyContacts,
  oneCertificateSubject,
  oneSector,
  softwareStatementForm,
  supportedAuthMethod,
  supportedAuthorizationDetails,
  supportedSubjectType,
  wellFormedResourceScopes,
  wellFormedScope,
} from './rules/client-rules.js';
import {
  authenticatedClientCredentials,
  boundTokensFromTheTokenEndpoint,
  consistentGrantTypes,
  consistentResponseTypes,
  oneBindingOfTokens,
  supportedGrantTypes,
  supportedResponseTypes,
} from './rules/grant-rules.js';
import {
  certificateOfTheMethod,
  keyOfEncryptedMessages,
  keyOfRequestObjects,
  keyOfTheMethod,
  oneSourceOfKeys,
  publicKeys,
} from './rules/key-rules.js';
import {
  acceptablePostLogoutRedirectUris,
  acceptableRedirectUris,
  presentRedirectUris,
} from './rules/redirect-rules.js';
import {
  frontchannelLogoutBesideRedirectUri,
  secureRequestUris,
  secureUrls,
  shownUrls,
} from './rules/uri-rules.js';

/** Every rule on client metadata, in the order of application. The first violation is reported. */
export const METADATA_RULES: readonly MetadataRule[] = [
  supportedGrantTypes,
  supportedResponseTypes,
  consistentResponseTypes,
  consistentGrantTypes,
  supportedAuthMethod,
  authenticatedClientCredentials,
  presentRedirectUris,
  acceptableRedirectUris,
  acceptablePostLogoutRedirectUris,
  frontchannelLogoutBesideRedirectUri,
  secureUrls,
  secureRequestUris,
  shownUrls,
  nonEmptyContacts,
  boundedScope,
  wellFormedScope,
  absoluteResourceIdentifiers,
  wellFormedResourceScopes,
  supportedSubjectType,
  oneSector,
  supportedAlgorithms,
  encryptionAsAWhole,
  assertionAlgorithmOfTheMethod,
  noSharedKeyOfPublicClients,
  oneSourceOfKeys,
  publicKeys,
  keyOfTheMethod,
  certificateOfTheMethod,
  keyOfRequestObjects,
  keyOfEncryptedMessages,
  oneCertificateSubject,
  boundTokensFromTheTokenEndpoint,
  oneBindingOfTokens,
  supportedAuthorizationDetails,
  knownRegistrationTypes,
  softwareStatementForm,
];
