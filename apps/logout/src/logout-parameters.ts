import { Type } from 'typebox';

const Parameter = (description: string) => Type.Optional(Type.String({ description }));

const PARAMETERS = {
  id_token_hint: Parameter('An ID token that the client received. It may have expired or be encrypted.'),
  logout_hint: Parameter('The end-user to log out, as the client knows them. Not used.'),
  client_id: Parameter('The client that sends the request.'),
  post_logout_redirect_uri: Parameter(
    'Where the browser goes afterwards. Must be registered, character by character.',
  ),
  state: Parameter('Added to that address; at most 2,048 bytes.'),
  ui_locales: Parameter('Preferred languages of the page, separated by spaces.'),
};

/** The query of GET (logout/API.md#logout); unknown parameters are ignored. */
export const LogoutQuery = Type.Object(PARAMETERS, { additionalProperties: true });

/** The form of POST: the parameters of a client, and the decision of the end-user from our own page. */
export const LogoutForm = Type.Object(
  {
    ...PARAMETERS,
    confirmation: Parameter('From the confirmation page: proves that the end-user decided there.'),
    decision: Parameter('From the confirmation page: `accept` or `decline`.'),
    receipt: Parameter('From the page after a logout: requests the state of its back-channel notifications.'),
    continued: Parameter('From the page that repeats a request from this site.'),
  },
  { additionalProperties: true },
);

/** The form of POST, with its shape validated. */
export type LogoutForm = Type.Static<typeof LogoutForm>;
