import { invalidMetadata, invalidRedirectUri } from '../metadata-error.js';
import type { MetadataRule, RuleContext } from '../metadata-rule.js';
import {
  hasAnswerParameter,
  hasParameter,
  type RedirectUriOwner,
  redirectUriProblem,
} from '../redirect-uri.js';
import { readUri } from '../uri-reading.js';

/**
 * A client that uses an authorisation endpoint says where answers go (OpenID Connect Dynamic Client Registration 1.0
 * section 2).
 */
export const presentRedirectUris: MetadataRule = ({ members }) => {
  if (members.response_types.length > 0 && (members.redirect_uris ?? []).length === 0) {
    throw invalidRedirectUri('is required for clients with a response type');
  }
};

/** Redirect URIs are safe to send answers to (RFC 9700 section 2.1, RFC 8252 sections 7 and 8). */
export const acceptableRedirectUris: MetadataRule = (context) => {
  for (const uri of context.members.redirect_uris ?? []) {
    const reading = readUri(uri);
    const problem = redirectUriProblem(reading, {
      ...ownerOf(context),
      takesTokens: context.members.grant_types.includes('implicit'),
    });
    if (problem !== undefined) throw invalidRedirectUri(problem);
    if (hasAnswerParameter(reading)) {
      throw invalidRedirectUri(
        'must hold URIs without the query parameters that authorisation answers carry',
      );
    }
  }
};

/**
 * Post-logout redirect URIs obey the same rules, and leave room for `state` (OpenID Connect RP-Initiated Logout 1.0
 * section 3.1).
 */
export const acceptablePostLogoutRedirectUris: MetadataRule = (context) => {
  for (const uri of context.members.post_logout_redirect_uris ?? []) {
    const reading = readUri(uri);
    const problem = redirectUriProblem(reading, ownerOf(context));
    if (problem !== undefined) throw invalidMetadata('post_logout_redirect_uris', problem);
    if (hasParameter(reading, ['state']))
      throw invalidMetadata('post_logout_redirect_uris', 'must hold URIs without the query parameter state');
  }
};

function ownerOf({ members, settings }: RuleContext): RedirectUriOwner {
  return { applicationType: members.application_type, takesTokens: false, settings };
}
