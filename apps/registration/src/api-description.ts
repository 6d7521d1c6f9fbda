import type { HeaderDescription, OperationDescription, ResponseDescription } from '@vestibule/http/openapi';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { Type } from 'typebox';
import {
  ChangedRegistrationSchema,
  ChangeStatusSchema,
  ClientInformationSchema,
  ClientStatusSchema,
  PatchRequestSchema,
  RegistrationRequestSchema,
  UpdateRequestSchema,
} from './client-schemas.js';
import { VerificationSchema } from './verification-schema.js';
import { VerificationRequest } from './verify-credential.js';

/** Credentials of the registration API, as OpenAPI security schemes. */
export const SECURITY_SCHEMES = {
  masterToken: bearer('The master token of the operator.'),
  initialAccessToken: bearer('An initial access token (RFC 7591 section 1.2).'),
  registrationAccessToken: bearer('The registration access token of the client (RFC 7592 section 1.2).'),
};

function bearer(description: string) {
  return { type: 'http', scheme: 'bearer', description } as const;
}

const header = (description: string, pattern?: string): HeaderDescription => ({
  description,
  schema: Type.String(pattern === undefined ? {} : { pattern }),
});

const required = (description: HeaderDescription): HeaderDescription => ({ ...description, required: true });

const TAG_PATTERN = '^"[A-Za-z0-9_-]{43}"$';

const ENTITY_TAG = header(
  'ETag of this version of the registration (RFC 9110 section 8.8.3). Members shown only to the master token do not change it.',
  TAG_PATTERN,
);
const IF_MATCH = header(
  'ETags, one of which must be current (RFC 9110 section 13.1.1); `*` matches any. Weak tags never match.',
);
const IF_NONE_MATCH = header(
  'ETags, none of which may be current (RFC 9110 section 13.1.2); `*` matches any, so nothing is changed.',
);

const TOKEN_ERRORS = ['invalid_request', 'missing_token', 'invalid_token', 'insufficient_scope'] as const;

const METADATA_ERRORS = [
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_software_statement',
  'unapproved_software_statement',
] as const;

const MANAGEMENT = {
  security: ['masterToken', 'registrationAccessToken'],
  parameters: { id: 'The client identifier, percent-encoded.' },
} satisfies Partial<OperationDescription>;

/** Description shared by every operation that changes a client. */
const CHANGE = {
  ...MANAGEMENT,
  headers: { 'if-match': IF_MATCH, 'if-none-match': IF_NONE_MATCH },
  errors: [...TOKEN_ERRORS, 'not_found', 'precondition_failed'],
} satisfies Partial<OperationDescription>;

const METADATA = {
  client_name: 'Example app',
  redirect_uris: ['https://app.example/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
};

const REGISTERED = {
  ...METADATA,
  response_types: ['code'],
  application_type: 'web',
  token_endpoint_auth_method: 'client_secret_basic',
};

const ISSUED = {
  client_id: 'k8s0p2q4',
  client_id_issued_at: 1796079600,
  client_secret: 'Zr6NcK1bWf0Qm4vT8yLx2',
  client_secret_expires_at: 0,
  registration_client_uri: 'https://op.example/clients/k8s0p2q4',
  registration_access_token: 'xR2mCk3lT0qVb8nZ5sYw7aHd1fGj4uPe',
  ...REGISTERED,
};

const client = (description: string): ResponseDescription => ({
  description,
  headers: { etag: required(ENTITY_TAG) },
  content: { [MEDIA_TYPE.json]: ClientInformationSchema },
  examples: { [MEDIA_TYPE.json]: ISSUED },
});

/** Response of an operation that may be a dry run; only a real change has an `ETag`. */
const clientOrDryRun = (description: string, headers = {}): ResponseDescription => ({
  description: `${description} For a dry run: what would be registered.`,
  headers: { etag: ENTITY_TAG, ...headers },
  content: { [MEDIA_TYPE.json]: ChangedRegistrationSchema },
  examples: { [MEDIA_TYPE.json]: ISSUED },
});

const REPLAYED = {
  'idempotency-replayed': {
    description: 'The response to an earlier request is repeated.',
    schema: Type.Enum(['true']),
  },
};

/** POST /clients (registration/API.md#register). */
export const REGISTER: OperationDescription = {
  id: 'registerClient',
  summary: 'Register a client',
  description:
    'RFC 7591 section 3. A successful registration consumes its initial access token in the same step. If open registration is on, some clients need no token.',
  security: ['masterToken', 'initialAccessToken', 'none'],
  headers: {
    'idempotency-key': header(
      'Makes the request safe to retry: 1 to 255 visible ASCII characters, with or without quotes. Requires a token.',
    ),
  },
  body: RegistrationRequestSchema,
  bodyExamples: { [MEDIA_TYPE.json]: METADATA },
  responses: {
    200: clientOrDryRun('The client is registered.', REPLAYED),
    201: {
      ...client('The client is registered (if `REGISTRATION_CREATED_STATUS` is 201).'),
      headers: { etag: required(ENTITY_TAG), ...REPLAYED },
    },
  },
  errors: [...TOKEN_ERRORS, ...METADATA_ERRORS, 'too_many_requests'],
};

/** GET /clients (registration/API.md#list). */
export const LIST: OperationDescription = {
  id: 'listClients',
  summary: 'List clients',
  description:
    'In the order of issue, as one array; with `Accept: application/x-ndjson`, one client a line. Unknown parameters are refused.',
  security: ['masterToken'],
  responses: {
    200: {
      description: 'The clients.',
      headers: {
        vary: {
          description:
            'The format depends on `Accept`; `Origin` is added if pages of some other origins may call the service.',
          schema: Type.Enum(['Accept', 'Accept, Origin']),
          required: true,
        },
        link: header('With rel="next" if there is a next page (RFC 8288).', '^<[^<>]+>; rel="next"$'),
      },
      content: {
        [MEDIA_TYPE.json]: Type.Array(ClientInformationSchema),
        [MEDIA_TYPE.ndjson]: Type.String({ description: 'One element of the array a line.' }),
      },
      examples: { [MEDIA_TYPE.json]: [ISSUED], [MEDIA_TYPE.ndjson]: `${JSON.stringify(ISSUED)}\n` },
    },
  },
  errors: TOKEN_ERRORS,
};

/** GET /clients/{id} (registration/API.md#read). */
export const READ: OperationDescription = {
  ...MANAGEMENT,
  id: 'readClient',
  summary: 'Read a client',
  description: 'RFC 7592 section 2.1. An expired secret is renewed first.',
  headers: {
    'if-match': IF_MATCH,
    'if-none-match': header('ETags of the versions that the caller has (RFC 9110 section 13.1.2).'),
  },
  responses: {
    200: client('The client.'),
    304: { description: 'The caller already has this version.', headers: { etag: required(ENTITY_TAG) } },
  },
  errors: ['invalid_request', 'missing_token', 'invalid_token', 'not_found', 'precondition_failed'],
};

/** PUT /clients/{id} (registration/API.md#update). */
export const UPDATE: OperationDescription = {
  ...CHANGE,
  id: 'updateClient',
  summary: 'Replace the registration of a client',
  description:
    'RFC 7592 section 2.2. Secret and registration access token are new, unless the settings say otherwise. An update whose response was lost can be repeated with the previous registration access token until the new one is used, for ten minutes at most; the response shows the current credentials. With the same `If-Match` the response is 412, because the client has changed; a read with the previous token shows the current registration and its ETag. Any other request with the previous token is 403.',
  body: UpdateRequestSchema,
  bodyExamples: { [MEDIA_TYPE.json]: { client_id: '<client_id>', ...METADATA } },
  responses: { 200: clientOrDryRun('The registration is replaced.') },
  errors: [...CHANGE.errors, ...METADATA_ERRORS, 'too_many_requests'],
};

/** PATCH /clients/{id} (RFC 5789, RFC 7396). */
export const PATCH: OperationDescription = {
  ...UPDATE,
  id: 'patchClient',
  summary: 'Change members of the registration of a client',
  description:
    'A JSON Merge Patch (RFC 7396) of the current registration: members that it does not name stay, `null` resets a member to its default, objects are merged and arrays replaced. All other rules are those of updating the whole registration. If members exclude each other, such as jwks and jwks_uri, the patch must set the registered one to null.',
  responseHeaders: {
    'accept-patch': {
      description: 'The media type of patches, if the request had another one.',
      schema: Type.Enum([MEDIA_TYPE.mergePatch]),
    },
  },
  body: PatchRequestSchema,
  bodyExamples: { [MEDIA_TYPE.mergePatch]: { client_name: 'Example app' } },
  responses: { 200: clientOrDryRun('The registration is changed.') },
};

/** DELETE /clients/{id} (registration/API.md#delete). */
export const REMOVE: OperationDescription = {
  ...CHANGE,
  id: 'deleteClient',
  summary: 'Delete a client',
  description: 'RFC 7592 section 2.3. Everything that was issued to the client is deleted or revoked.',
  responses: { 204: { description: 'The client is deleted.' } },
};

const status = (description: string): ResponseDescription => ({
  description,
  headers: {
    etag: required(header('ETag of the client, as a read returns it (RFC 9110 section 8.8.3).', TAG_PATTERN)),
  },
  content: { [MEDIA_TYPE.json]: ClientStatusSchema },
  examples: { [MEDIA_TYPE.json]: { status: 'active' } },
});

/** GET /clients/{id}/status */
export const READ_STATUS: OperationDescription = {
  ...MANAGEMENT,
  id: 'readClientStatus',
  summary: 'Read the status of a client',
  responses: { 200: status('The status.') },
  errors: ['invalid_request', 'missing_token', 'invalid_token', 'not_found'],
};

/** PUT /clients/{id}/status */
export const CHANGE_STATUS: OperationDescription = {
  ...CHANGE,
  id: 'changeClientStatus',
  summary: 'Approve, suspend or resume a client',
  description:
    'Only with the master token. `suspended` disables the client at once: it cannot authenticate, gets no tokens, and its tokens are inactive. `active` approves a pending client and resumes a suspended one, whose tokens are active again unless they have expired or were revoked. Setting the current status changes nothing. Use `If-Match` to change only the version that you read.',
  security: ['masterToken'],
  body: ChangeStatusSchema,
  bodyExamples: { [MEDIA_TYPE.json]: { status: 'suspended' } },
  responses: { 200: status('The client has the status.') },
};

const ROTATION = {
  ...CHANGE,
  errors: [...CHANGE.errors, 'too_many_requests'],
} satisfies Partial<OperationDescription>;

/** POST /clients/{id}/secret */
export const ROTATE_SECRET: OperationDescription = {
  ...ROTATION,
  id: 'rotateClientSecret',
  summary: 'Replace the secret of a client',
  description:
    'Nothing else changes; the metadata are not validated again. The previous secret stops working at once, or after the configured overlap. 400 if the client has no secret.',
  responses: { 200: client('The client with its new secret.') },
};

/** POST /clients/{id}/registration-token */
export const ROTATE_REGISTRATION_TOKEN: OperationDescription = {
  ...ROTATION,
  id: 'rotateRegistrationToken',
  summary: 'Replace the registration access token of a client',
  description:
    'Nothing else changes. With the master token, the previous token stops working at once. With the previous token itself, that token can still read the client until the new one is first used, for ten minutes at most. 400 if the client has no registration access token.',
  responses: { 200: client('The client with its new registration access token.') },
};

/** POST /clients/{client_id}/verify */
export const VERIFY: OperationDescription = {
  id: 'verifyClientCredential',
  summary: 'Verify the credential of a client',
  description:
    'For an authorization server of your own: what a client presented there is verified as at the endpoints here. Exactly one of `client_secret`, `client_assertion` and `certificate`. An assertion is consumed. Responses to invalid credentials are delayed if there are many. An unknown client and a wrong credential have the same response.',
  security: ['masterToken'],
  parameters: MANAGEMENT.parameters,
  body: Type.Unsafe({
    ...VerificationRequest,
    oneOf: ['client_secret', 'client_assertion', 'certificate'].map((name) => ({ required: [name] })),
  }),
  bodyExamples: { [MEDIA_TYPE.json]: { client_secret: '<client_secret>' } },
  responses: {
    200: {
      description: 'Whether the credential is valid.',
      content: { [MEDIA_TYPE.json]: VerificationSchema },
      examples: { [MEDIA_TYPE.json]: { valid: true, method: 'client_secret_basic' } },
    },
  },
  errors: ['invalid_request', 'missing_token', 'invalid_token', 'too_many_requests'],
};
