import type { JsonObject } from '@vestibule/protocol/json';
import { Type } from 'typebox';

/** The response of the endpoint (RFC 6749 section 5.1). Contains credentials. */
export type DirectAuthorizationResponse = JsonObject & {
  readonly access_token: string;
  readonly token_type: string;
  /** Lifetime in seconds. */
  readonly expires_in: number;
  readonly scope: string;
};

/** The schema of the response, for the API document. */
export const DirectAuthorizationResponseSchema = Type.Object(
  {
    access_token: Type.String({ description: 'An access token, or an initial access token.' }),
    token_type: Type.Enum(['Bearer', 'DPoP'], {
      description: '`DPoP` if the token is bound to a key (RFC 9449 section 5).',
    }),
    expires_in: Type.Integer({ minimum: 1, description: 'Lifetime in seconds.' }),
    scope: Type.String({ description: 'Space-separated scope values.' }),
    id_token: Type.Optional(
      Type.String({
        description: 'With `openid` in the scope: signed and encrypted as the client registered.',
      }),
    ),
  },
  { $id: 'Tokens', description: 'The issued tokens.' },
);
