import { CLIENT_ID_MAX_LENGTH } from '@vestibule/protocol';
import { openObject } from '@vestibule/service-kit';
import { type TSchema, Type } from 'typebox';
import { languageTagged, nullable, REGISTERED_METADATA, REQUESTED_METADATA } from './documented-metadata.js';

/** How a client may have come to be. */
export const CLIENT_ORIGINS = [
  'registration',
  'open_registration',
  'import',
  'federation_explicit',
  'federation_automatic',
];

const data = Type.Optional(
  openObject(
    'Custom data: at most 16,384 bytes of JSON, 8 levels deep. Setting or changing it takes the scope value client-reg:data or the master token; without either, data that is there stays.',
  ),
);

const clientId = Type.String({
  description: 'Identifier of the client.',
  minLength: 1,
  maxLength: CLIENT_ID_MAX_LENGTH,
});

const nullableMembers = (members: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, nullable(member)]));

const CHANGEABLE = nullableMembers({ ...REQUESTED_METADATA, data });

const TAGGED_REQUEST = languageTagged({ type: ['string', 'null'], maxLength: 2048 });
const TAGGED_RESPONSE = languageTagged({ type: 'string' });

/** The body of a registration. */
export const RegistrationRequestSchema = Type.Object(
  {
    ...CHANGEABLE,
    preferred_client_id: nullable(
      Type.String({
        description: 'Presets the identifier, for imports.',
        maxLength: 256,
        pattern: '^(?!\\.{1,2}$)[!-~](?:[ -~]*[!-~])?$',
      }),
    ),
    preferred_client_secret: nullable(
      Type.String({
        description: 'Presets the secret, for imports.',
        minLength: 32,
        maxLength: 256,
        pattern: '^[ -~]*$',
      }),
    ),
  },
  {
    $id: 'RegistrationRequest',
    description:
      'Client metadata (RFC 7591 section 2, OpenID Connect DCR 1.0 section 2). Unknown members are ignored; null is the same as leaving a member out. The members that `x-patternProperties` describes may be repeated in other languages.',
    ...TAGGED_REQUEST,
  },
);

/** What the service alone issues: in an update as it is at present, or left out. */
const ISSUED = {
  client_secret: Type.String({ description: 'The present secret, or nothing.' }),
  client_id_issued_at: Type.Integer({ description: 'As it is, or nothing.' }),
  client_secret_expires_at: Type.Integer({ description: 'As it is, or nothing.' }),
  registration_client_uri: Type.String({ description: 'As it is, or nothing.' }),
  registration_access_token: Type.String({ description: 'A present one, or nothing.' }),
};

/** The body of an update. */
export const UpdateRequestSchema = Type.Object(
  { client_id: clientId, ...nullableMembers(ISSUED), ...CHANGEABLE },
  {
    $id: 'UpdateRequest',
    description:
      'The whole registration as it is to be: what a read shows can be changed and sent back. What is left out or null falls back to its default; members that only the service issues are as at present, or absent.',
    ...TAGGED_REQUEST,
  },
);

/** The body of a patch. */
export const PatchRequestSchema = Type.Object(
  {
    client_id: Type.Optional(clientId),
    ...nullableMembers(ISSUED),
    ...CHANGEABLE,
    jwks: nullable(openObject('Members of the JWK set to change.')),
  },
  {
    $id: 'PatchRequest',
    description:
      'A JSON Merge Patch (RFC 7396) of the registration: members to change, and null for those to take away. Members that only the service issues are as at present, or absent.',
    ...TAGGED_REQUEST,
  },
);

const expiresAt = Type.Optional(
  Type.Integer({
    description:
      'When a client that was registered without a token ends unless it is used before, in seconds since the Unix epoch. Absent for a client that does not end by itself.',
  }),
);

const STATUSES = ['active', 'pending', 'suspended'];

/** What the operator is shown besides. */
const operatorMembers = {
  status: Type.Optional(
    Type.Enum(STATUSES, { description: 'Shown to the master token when it reads or lists clients.' }),
  ),
  origin: Type.Optional(
    Type.Enum(CLIENT_ORIGINS, { description: 'How the client came to be; shown like `status`.' }),
  ),
  last_used_at: Type.Optional(
    Type.Integer({
      description:
        'When the client was last used, in seconds since the Unix epoch, exact to the minute; absent where it never was. Shown like `status`.',
    }),
  ),
};

const information = {
  client_id: clientId,
  client_id_issued_at: Type.Integer({
    description: 'When it was issued, in seconds since the Unix epoch.',
  }),
  client_secret: Type.Optional(Type.String({ description: 'Absent for clients that need none.' })),
  client_secret_expires_at: Type.Optional(
    Type.Integer({
      description: 'When the secret expires, in seconds since the Unix epoch; 0 if it does not.',
    }),
  ),
  registration_client_uri: Type.String({ description: 'Address of this registration.' }),
  registration_access_token: Type.Optional(
    Type.String({ description: 'Reads, updates and deletes this registration.' }),
  ),
  expires_at: expiresAt,
  ...REGISTERED_METADATA,
  data,
  ...operatorMembers,
};

/** Client information (registration/API.md#client-information). */
export const ClientInformationSchema = Type.Object(information, {
  $id: 'ClientInformation',
  description: 'What was issued, and exactly what is registered, defaults included.',
  ...TAGGED_RESPONSE,
});

/** What a change, or its dry run, answers with: one type, so that generated clients have one to read. */
export const ChangedRegistrationSchema = Type.Object(
  {
    ...information,
    client_id: Type.Optional(clientId),
    client_id_issued_at: Type.Optional(information.client_id_issued_at),
    registration_client_uri: Type.Optional(information.registration_client_uri),
  },
  {
    $id: 'ChangedRegistration',
    description:
      'Client information. In a dry run: what would be registered, defaults included, without anything that would be issued.',
    dependentRequired: {
      client_id_issued_at: ['client_id', 'registration_client_uri'],
      registration_client_uri: ['client_id', 'client_id_issued_at'],
      client_secret: ['client_id_issued_at', 'client_secret_expires_at'],
      client_secret_expires_at: ['client_id_issued_at', 'client_secret'],
      registration_access_token: ['client_id_issued_at'],
      expires_at: ['client_id_issued_at'],
    },
    ...TAGGED_RESPONSE,
  },
);

/** The status of a client. */
export const ClientStatusSchema = Type.Object(
  { status: Type.Enum(STATUSES), expires_at: expiresAt },
  {
    $id: 'ClientStatus',
    description:
      'A pending client waits for approval and may do nothing but be managed. A suspended client may do nothing but be read.',
  },
);

/** The changes of status that can be requested; a client that is not to be approved is deleted. */
export const ChangeStatusSchema = Type.Object(
  { status: Type.Union([Type.Literal('active'), Type.Literal('suspended')]) },
  {
    $id: 'ChangeStatus',
    description: 'The status that the client is to have.',
    additionalProperties: false,
  },
);
