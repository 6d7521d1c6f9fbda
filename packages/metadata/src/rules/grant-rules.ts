import { invalidMetadata } from '../metadata-error.js';
import { elementName, type MetadataRule } from '../metadata-rule.js';
import { BROWSER_GRANT_TYPES, grantTypesOfResponseType } from '../supported-metadata.js';

/** Grant types can be registered (RFC 7591 section 2). */
export const supportedGrantTypes: MetadataRule = (context) => {
  const known: readonly string[] = context.supported.grantTypes;
  const other = context.members.grant_types.find((grantType) => !known.includes(grantType));
  if (other !== undefined) {
    throw invalidMetadata(
      elementName(context, 'grant_types', other),
      `is not a supported grant type (supported, by REGISTRABLE_GRANT_TYPES of the server: ${known.join(', ')})`,
    );
  }
};

/** Response types are supported (RFC 7591 section 2). */
export const supportedResponseTypes: MetadataRule = (context) => {
  const known = context.supported.responseTypes;
  const other = context.members.response_types.find((responseType) => !known.includes(responseType));
  if (other !== undefined) {
    throw invalidMetadata(
      elementName(context, 'response_types', other),
      `is not a supported response type (supported: ${known.join(', ')})`,
    );
  }
};

/** Each response type comes with its grant types (RFC 7591 section 2.1). */
export const consistentResponseTypes: MetadataRule = ({ members }) => {
  const needed = members.response_types.flatMap(grantTypesOfResponseType);
  if (!needed.every((grantType) => members.grant_types.includes(grantType))) {
    throw invalidMetadata(
      'response_types',
      'needs code with authorization_code, token and id_token with implicit',
    );
  }
};

/** A grant type that starts at the authorization endpoint comes with a response type (RFC 7591 section 2.1). */
export const consistentGrantTypes: MetadataRule = ({ members }) => {
  const used = members.response_types.flatMap(grantTypesOfResponseType);
  if (
    !BROWSER_GRANT_TYPES.every(
      (grantType) => used.includes(grantType) || !members.grant_types.includes(grantType),
    )
  ) {
    throw invalidMetadata(
      'grant_types',
      'needs a response type with code for authorization_code, with token or id_token for implicit',
    );
  }
};

/** Only clients that authenticate use the client credentials grant (RFC 6749 section 4.4). */
export const authenticatedClientCredentials: MetadataRule = ({ members }) => {
  if (members.grant_types.includes('client_credentials') && members.token_endpoint_auth_method === 'none') {
    throw invalidMetadata('grant_types', 'holds client_credentials, which needs client authentication');
  }
};

const BINDINGS = ['dpop_bound_access_tokens', 'tls_client_certificate_bound_access_tokens'] as const;

/** A client with bound tokens gets none through the browser, where no key is proved (RFC 9449 section 5.2). */
export const boundTokensFromTheTokenEndpoint: MetadataRule = ({ members }) => {
  const binding = BINDINGS.find((name) => members[name] === true);
  const throughBrowser = members.response_types.some((responseType) =>
    responseType.split(' ').includes('token'),
  );
  if (binding !== undefined && throughBrowser) {
    throw invalidMetadata(binding, 'does not go with the response type token');
  }
};

/**
 * Tokens are bound to one key: that of DPoP or that of the certificate (RFC 9449 section 5.2, RFC 8705 section 3.4).
 */
export const oneBindingOfTokens: MetadataRule = ({ members }) => {
  if (BINDINGS.every((name) => members[name] === true)) {
    throw invalidMetadata(BINDINGS[0], `does not go with ${BINDINGS[1]}`);
  }
};
