import { CLIENT_AUTH_METHODS } from '@vestibule/protocol/constants';
import { Type } from 'typebox';

/** The result of a verification, for the API document. */
export const VerificationSchema = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether it is a valid credential of this client.' }),
    method: Type.Optional(
      Type.Enum(
        CLIENT_AUTH_METHODS.filter((method) => method !== 'none'),
        { description: 'The `token_endpoint_auth_method` of the client; only if the credential is valid.' },
      ),
    ),
    error_description: Type.Optional(
      Type.String({
        description:
          'What the client has to change, if it may learn that: a claim of its assertion, or the authentication method.',
      }),
    ),
  },
  { $id: 'Verification', description: 'The result of a verification.' },
);
