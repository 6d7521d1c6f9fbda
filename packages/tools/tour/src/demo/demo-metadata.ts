import type { DemoApplication } from './demo-application.js';
import { DEMO_SCOPE } from './relying-party.js';

/** The registered metadata of an application, with its front-channel logout URI and, if it is notified through the back channel, that URI. */
export function metadataOf(application: DemoApplication, isNotified: boolean) {
  const { name, address, redirectUri, loggedOutUri, frontchannelUri, backchannelUri } = application;
  return {
    client_name: name,
    'client_name#de': name.replace('Application', 'Anwendung'),
    'client_name#ar': name.replace('Application', 'التطبيق'),
    client_uri: `${address}/`,
    application_type: 'web',
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [loggedOutUri],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: DEMO_SCOPE,
    frontchannel_logout_uri: frontchannelUri,
    frontchannel_logout_session_required: true,
    ...(isNotified && {
      backchannel_logout_uri: backchannelUri,
      backchannel_logout_session_required: true,
    }),
  };
}
