import type { OperationDescription } from '@vestibule/http/openapi';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { Type } from 'typebox';
import { DirectAuthorizationRequest } from './direct-authorization-request.js';
import { DirectAuthorizationResponseSchema } from './direct-authorization-response.js';
import { DirectRevocationRequest } from './direct-revocation.js';
import { DirectSessionSchema } from './direct-sessions.js';
import { SessionClientSchema } from './enter-session.js';
import { TokenImportRequest } from './token-import-request.js';
import { TokenImportLineResponse, TokenImportResponse } from './token-import-response.js';

/** Authentication schemes of the API. */
export const SECURITY_SCHEMES = {
  masterToken: { type: 'http', scheme: 'bearer', description: 'The master token of the operator.' },
} as const;

const security = ['masterToken'];

/** The operation itself validates the scope (RFC 6749 section 3.3). */
const TokenRequest = Type.Unsafe({
  ...DirectAuthorizationRequest,
  properties: {
    ...DirectAuthorizationRequest.properties,
    scope: {
      ...DirectAuthorizationRequest.properties.scope,
      pattern: '^(?:[!#-\\[\\]-~]+(?: [!#-\\[\\]-~]+)*)?$',
    },
  },
});
const REFUSALS = ['invalid_request', 'missing_token', 'invalid_token'] as const;

/** POST /direct-authz */
export const ISSUE: OperationDescription = {
  id: 'issueToken',
  summary: 'Issue a token',
  description:
    'Issues an access token, with an ID token if the scope contains `openid`; a scope of `client-reg` values issues an initial access token. No end-user is asked. With a `sid`, the client joins that session, and the ID token carries the same `sid` as the logout token will.',
  security,
  body: TokenRequest,
  bodyExamples: { [MEDIA_TYPE.json]: { scope: 'client-reg', uses: 5, label: 'Partner onboarding' } },
  responses: {
    200: {
      description: 'The tokens (RFC 6749 section 5.1).',
      content: { [MEDIA_TYPE.json]: DirectAuthorizationResponseSchema },
      examples: {
        [MEDIA_TYPE.json]: {
          access_token: 'xR2mCk3lT0qVb8nZ5sYw7aHd1fGj4uPe',
          token_type: 'Bearer',
          expires_in: 3600,
          scope: 'client-reg',
        },
      },
    },
  },
  errors: REFUSALS,
};

/** POST /direct-authz/revoke */
export const REVOKE: OperationDescription = {
  id: 'revokeTokens',
  summary: 'Revoke tokens',
  description:
    'What does not exist counts as revoked. A revocation by `sub` also ends every session of the end-user and queues a notification for each client that registered a back channel.',
  security,
  body: Type.Unsafe({
    ...DirectRevocationRequest,
    oneOf: ['token', 'client_id', 'sub', 'sid'].map((name) => ({ required: [name] })),
    dependentRequired: { exp: ['token'] },
  }),
  bodyExamples: { [MEDIA_TYPE.json]: { sub: 'alice' } },
  responses: { 204: { description: 'The revocation is stored.' } },
  errors: REFUSALS,
};

const IMPORTED = {
  token: '4ZLdmWg2q4uPexR2mC5sYw7aHd1fGj',
  kind: 'access',
  client_id: '<client_id>',
  sub: 'alice',
  scope: 'read',
  iat: 1796079600,
  exp: 1796083200,
};

/** POST /direct-authz/tokens */
export const IMPORT_TOKENS: OperationDescription = {
  id: 'importTokens',
  summary: 'Import tokens',
  description:
    'Tokens that another authorization server issued under the same issuer. From the response on, access tokens can be introspected at every instance, and tokens of both kinds can be revoked. `application/json`: all tokens of the request or none. `application/x-ndjson`: any number of tokens, one a line; each line gets its own response line. A token that is sent again with the same values is unchanged; other values are refused. A token that was revoked stays inactive, also if it was revoked before it was sent.',
  security,
  body: TokenImportRequest,
  bodyByMediaType: {
    [MEDIA_TYPE.ndjson]: Type.String({
      description: 'One element of `tokens` a line, of at most 65,536 bytes.',
    }),
  },
  bodyExamples: {
    [MEDIA_TYPE.json]: { tokens: [IMPORTED] },
    [MEDIA_TYPE.ndjson]: `${JSON.stringify(IMPORTED)}\n`,
  },
  responses: {
    200: {
      description: 'The tokens are stored. For lines: one line for each, in order.',
      content: {
        [MEDIA_TYPE.json]: TokenImportResponse,
        [MEDIA_TYPE.ndjson]: TokenImportLineResponse,
      },
      examples: {
        [MEDIA_TYPE.json]: { stored: 1, unchanged: 0, revoked: 0 },
        [MEDIA_TYPE.ndjson]: { line: 1, result: 'stored' },
      },
    },
  },
  errors: REFUSALS,
};

/** POST /direct-authz/sessions */
export const OPEN_SESSION: OperationDescription = {
  id: 'openSession',
  summary: 'Open a session',
  description: 'Opens a session as a login does. The clients are granted the scope that they registered.',
  security,
  bodyExamples: { [MEDIA_TYPE.json]: { sub: 'alice' } },
  responses: {
    200: {
      description: 'The session is open.',
      content: { [MEDIA_TYPE.json]: DirectSessionSchema },
      examples: {
        [MEDIA_TYPE.json]: {
          sid: 'Qm4vT8yLx2Zr6NcK1bWf0',
          clients: { k8s0p2q4: { sid: 'b3TfXw9uE5oRj7HaY1mVd' } },
          cookie: { name: '_session', value: 'J6pGz0sCn4iUe8tLq2XvB' },
        },
      },
    },
  },
  errors: REFUSALS,
};

/** DELETE /direct-authz/sessions/{sid} */
export const END_SESSION: OperationDescription = {
  id: 'endSession',
  summary: 'End a session',
  description:
    'Ends the session with the tokens that end with it, and queues a notification for each of its clients that registered a back channel.',
  security,
  parameters: { sid: 'The identifier of the session, or the `sid` of any of its clients; percent-encoded.' },
  responses: { 204: { description: 'The session has ended.' } },
  errors: ['invalid_request', 'missing_token', 'invalid_token', 'not_found'],
};

/** POST /direct-authz/sessions/{sid}/clients */
export const ENTER_SESSION: OperationDescription = {
  id: 'enterSession',
  summary: 'Add a client to a session',
  description:
    'For an ID token that another server issues: the client is notified when the session ends, with this `sid`. A client that is in the session already keeps its `sid`. 404 means that the session has ended, or is one of another end-user.',
  security,
  parameters: { sid: 'The identifier of the session, or the `sid` of any of its clients; percent-encoded.' },
  bodyExamples: { [MEDIA_TYPE.json]: { client_id: '<client_id>', sub: 'alice' } },
  responses: {
    200: {
      description: 'The client is in the session.',
      content: { [MEDIA_TYPE.json]: SessionClientSchema },
      examples: { [MEDIA_TYPE.json]: { sid: 'b3TfXw9uE5oRj7HaY1mVd0' } },
    },
  },
  errors: [...REFUSALS, 'not_found'],
};
