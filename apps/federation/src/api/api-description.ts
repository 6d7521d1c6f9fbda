import { MAX_GIVEN_STATEMENTS } from '@vestibule/federation/chains';
import type { OperationDescription, ResponseDescription } from '@vestibule/http/openapi';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { Type } from 'typebox';
import { PAGE_HEADERS } from './explanation-description.js';
import { EntityIdentifier, ExplanationParameters } from './explanation-parameters.js';
import { ExplanationSchema } from './explanation-schemas.js';

/** Authentication schemes of the API. */
export const SECURITY_SCHEMES = {
  masterToken: { type: 'http', scheme: 'bearer', description: 'The master token of the operator.' },
} as const;

const signed = (description: string) =>
  Type.String({ description, pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$' });

const REGISTRATION_BODY = signed('The entity statement of the relying party, a signed JWT.');

const TRUST_CHAIN = {
  [MEDIA_TYPE.trustChainJson]: Type.Array(signed('An entity statement, a signed JWT.'), {
    description: 'The statements of the trust chain of the relying party, starting with its own.',
    minItems: 2,
    maxItems: MAX_GIVEN_STATEMENTS,
  }),
};

const SIGNED_EXAMPLE =
  'eyJ0eXAiOiJlbnRpdHktc3RhdGVtZW50K2p3dCJ9.eyJpc3MiOiJodHRwczovL29wLmV4YW1wbGUifQ.c2lnbmF0dXJl';

const REGISTRATION_EXAMPLES = {
  [MEDIA_TYPE.jose]: SIGNED_EXAMPLE,
  [MEDIA_TYPE.entityStatementJwt]: SIGNED_EXAMPLE,
  [MEDIA_TYPE.trustChainJson]: [SIGNED_EXAMPLE, SIGNED_EXAMPLE],
};

const METADATA_ERRORS = [
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_software_statement',
  'unapproved_software_statement',
] as const;

/** POST /federation/clients (federation/API.md#register). */
export const REGISTER: OperationDescription = {
  id: 'registerEntity',
  summary: 'Register a relying party of a federation',
  description:
    'OpenID Federation 1.0 section 12.2 and its draft profile; the media type of the response is that of the profile. Registering again replaces the registration and requires a statement that was issued later.',
  security: ['none'],
  body: REGISTRATION_BODY,
  bodyByMediaType: TRUST_CHAIN,
  bodyExamples: REGISTRATION_EXAMPLES,
  responses: {
    200: {
      description: 'The registration statement, signed with a federation key.',
      content: {
        [MEDIA_TYPE.jose]: signed('The registration as metadata_policy with value operators.'),
        [MEDIA_TYPE.explicitRegistrationResponseJwt]: signed(
          'The registration as trust_anchor and metadata.',
        ),
      },
      examples: {
        [MEDIA_TYPE.jose]: SIGNED_EXAMPLE,
        [MEDIA_TYPE.explicitRegistrationResponseJwt]: SIGNED_EXAMPLE,
      },
    },
  },
  errors: [
    'invalid_request',
    ...METADATA_ERRORS,
    'federation_not_enabled',
    'unauthorized_client',
    'too_many_requests',
  ],
};

/** GET /.well-known/openid-federation */
export const CONFIGURATION: OperationDescription = {
  id: 'readEntityConfiguration',
  summary: 'Read the entity configuration of the provider',
  description: 'OpenID Federation 1.0 section 9.',
  security: ['none'],
  responses: {
    200: {
      description: 'The entity configuration of the provider.',
      content: { [MEDIA_TYPE.entityStatementJwt]: signed('Signed with a federation key.') },
      examples: { [MEDIA_TYPE.entityStatementJwt]: SIGNED_EXAMPLE },
    },
  },
  errors: ['not_found'],
};

/** GET /jwks.jwt */
export const SIGNED_KEYS: OperationDescription = {
  id: 'readSignedKeySet',
  summary: 'Read the signed key set of the provider',
  description: 'OpenID Federation 1.0 section 5.2.1.',
  security: ['none'],
  responses: {
    200: {
      description: 'The keys of the provider.',
      content: { [MEDIA_TYPE.jwkSetJwt]: signed('Signed with a federation key.') },
      examples: { [MEDIA_TYPE.jwkSetJwt]: SIGNED_EXAMPLE },
    },
  },
  errors: ['not_found'],
};

/** GET /federation/historical-keys */
export const HISTORICAL_KEYS: OperationDescription = {
  id: 'readHistoricalKeys',
  summary: 'Read the retired federation keys of the provider',
  description: 'OpenID Federation 1.0 section 8.7.',
  security: ['none'],
  responses: {
    200: {
      description: 'The keys that were used and are no longer published, with the times of their use.',
      content: { [MEDIA_TYPE.jwkSetJwt]: signed('Signed with a federation key.') },
      examples: { [MEDIA_TYPE.jwkSetJwt]: SIGNED_EXAMPLE },
    },
  },
  errors: ['not_found'],
};

const EXPLAINED: ResponseDescription = {
  description: 'Every path that was tried; as a page if the Accept header prefers HTML.',
  headers: {
    vary: { description: 'The media type depends on Accept.', schema: Type.Enum(['Accept']), required: true },
    ...PAGE_HEADERS,
  },
  content: {
    [MEDIA_TYPE.json]: ExplanationSchema,
    [MEDIA_TYPE.html]: Type.String({ description: 'The same, shown as a tree.' }),
  },
  examples: {
    [MEDIA_TYPE.json]: {
      subject: 'https://rp.example',
      trusted: true,
      chain: ['https://rp.example', 'https://anchor.example'],
      expiresAt: 1796083200,
      metadata: { openid_relying_party: { client_name: 'Example app' } },
      fetches: 2,
      paths: [{ entities: ['https://rp.example', 'https://anchor.example'], trusted: true, statements: [] }],
    },
    [MEDIA_TYPE.html]: '<!doctype html><title>Explanation</title>',
  },
};

/** Browsers send no bearer token: they are redirected to the form that takes one. */
const TO_PAGE: ResponseDescription = {
  description: 'Redirect to the form, for a request without a token that prefers HTML.',
  headers: {
    location: { description: 'The form, filled in.', schema: Type.String(), required: true },
    vary: { description: 'The media type depends on Accept.', schema: Type.Enum(['Accept']), required: true },
  },
};

/** GET /federation/explain */
export const EXPLAIN: OperationDescription = {
  id: 'explainEntity',
  summary: 'Explain why an entity is trusted or not',
  description: 'Nothing is registered.',
  security: ['masterToken'],
  query: Type.Object({ ...ExplanationParameters.properties, sub: EntityIdentifier }),
  responses: { 200: EXPLAINED, 303: TO_PAGE },
  errors: ['invalid_request', 'missing_token', 'invalid_token', 'federation_not_enabled'],
};

/** POST /federation/explain */
export const DRY_RUN: OperationDescription = {
  id: 'dryRunRegistration',
  summary: 'Dry run of a registration with an explanation',
  description: 'The result that the registration would have now; nothing is registered.',
  security: ['masterToken'],
  body: REGISTRATION_BODY,
  bodyByMediaType: TRUST_CHAIN,
  bodyExamples: REGISTRATION_EXAMPLES,
  responses: { 200: EXPLAINED },
  errors: ['invalid_request', 'missing_token', 'invalid_token', 'federation_not_enabled'],
};
