import { Type } from 'typebox';

const Parameter = (description: string) => Type.Optional(Type.String({ description }));

const PARAMETERS = {
  id_token_hint: Parameter('An ID token that the client was given, of whatever age; also encrypted.'),
  logout_hint: Parameter('Who is to be logged out, in the words of the client. Not used.'),
  client_id: Parameter('The client that asks.'),
  post_logout_redirect_uri: Parameter('Where the browser goes in the end; registered letter by letter.'),
  state: Parameter('Given back at that address; at most 2,048 bytes.'),
  ui_locales: Parameter('Preferred languages of the page, separated by spaces.'),
};

/** The query of GET (logout/API.md#logout); unknown parameters are ignored. */
export const LogoutQuery = Type.Object(PARAMETERS, { additionalProperties: true });

/** The form of POST: the same from a client, and the answer of the end-user from our own page. */
export const LogoutForm = Type.Object(
  {
    ...PARAMETERS,
    confirmation: Parameter('From the page that asks: proves that the end-user answered.'),
    decision: Parameter('From the page that asks: `accept` or `decline`.'),
    receipt: Parameter('From the page of a logout: asks what became of its back-channel notifications.'),
    continued: Parameter('From the page that sends a request on.'),
  },
  { additionalProperties: true },
);

/** A form, as far as its shape is known. */
export type LogoutForm = Type.Static<typeof LogoutForm>;
