import { invalidMetadata } from '../metadata-error.js';
import { elementName, type MetadataRule, type RuleContext } from '../metadata-rule.js';
import { redirectUriProblem } from '../uris/redirect-uri.js';

/**
 * A client that uses an authorization endpoint has redirect URIs (OpenID Connect Dynamic Client Registration 1.0
 * section 2).
 */
export const presentRedirectUris: MetadataRule = ({ members }) => {
  if (members.response_types.length > 0 && (members.redirect_uris ?? []).length === 0) {
    throw invalidMetadata('redirect_uris', 'is required for clients with a response type');
  }
};

// Parameters of authorization responses (RFC 6749 section 4.1.2, OpenID Connect Core 1.0 section 3.3.2.5, RFC 9207
// section 2, JARM section 2.3).
const RESPONSE_PARAMETERS = ['code', 'state', 'error', 'iss', 'id_token', 'access_token', 'response'];

/** Redirect URIs are safe targets for responses (RFC 9700 section 2.1, RFC 8252 sections 7 and 8). */
export const acceptableRedirectUris: MetadataRule = (context) => {
  const takesTokens = context.members.grant_types.includes('implicit');
  refuseUnacceptable(context, 'redirect_uris', { takesTokens, addedParameters: RESPONSE_PARAMETERS });
};

/**
 * Post-logout redirect URIs follow the same rules and do not use `state` themselves (OpenID Connect RP-Initiated Logout
 * 1.0 section 3.1).
 */
export const acceptablePostLogoutRedirectUris: MetadataRule = (context) => {
  refuseUnacceptable(context, 'post_logout_redirect_uris', {
    takesTokens: false,
    addedParameters: ['state'],
  });
};

function refuseUnacceptable(
  context: RuleContext,
  member: 'redirect_uris' | 'post_logout_redirect_uris',
  receives: { readonly takesTokens: boolean; readonly addedParameters: readonly string[] },
): void {
  const { members, settings } = context;
  const owner = {
    applicationType: members.application_type,
    takesTokens: receives.takesTokens,
    settings,
  };
  for (const uri of members[member] ?? []) {
    const problem = redirectUriProblem(uri, owner, receives.addedParameters);
    if (problem !== undefined) throw invalidMetadata(elementName(context, member, uri), problem);
  }
}
