import { CLIENT_ORIGINS } from '@vestibule/clients';
import { openObject } from '@vestibule/http/openapi';
import { CLIENT_ID_MAX_LENGTH } from '@vestibule/protocol';
import { type TSchema, Type } from 'typebox';
import { languageTagged, nullable, REGISTERED_METADATA, REQUESTED_METADATA } from './documented-metadata.js';

const data = Type.Optional(
  openObject(
    'Custom data: at most 16,384 bytes of JSON, 8 levels deep. Setting or changing it requires the scope value client-reg:data or the master token; otherwise existing data stays.',
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

/** Body of a registration. */
export const RegistrationRequestSchema = Type.Object(
  {
    ...CHANGEABLE,
    preferred_client_id: nullable(
      Type.String({
        description: 'Identifier for the new client, for imports.',
        maxLength: 256,
        pattern: '^(?!\\.{1,2}$)[!-~](?:[ -~]*[!-~])?$',
      }),
    ),
    preferred_client_secret: nullable(
      Type.String({
        description: 'Secret for the new client, for imports.',
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

/** Members that only the service issues. In an update they have their current values or are absent. */
const ISSUED = {
  client_secret: Type.String({ description: 'The current secret, or absent.' }),
  client_id_issued_at: Type.Integer({ description: 'The current value, or absent.' }),
  client_secret_expires_at: Type.Integer({ description: 'The current value, or absent.' }),
  registration_client_uri: Type.String({ description: 'The current value, or absent.' }),
  registration_access_token: Type.String({ description: 'A current token, or absent.' }),
};

/** Body of an update. */
export const UpdateRequestSchema = Type.Object(
  { client_id: clientId, ...nullableMembers(ISSUED), ...CHANGEABLE },
  {
    $id: 'UpdateRequest',
    description:
      'The whole new registration: read it, change it and send it back. A member that is absent or null falls back to its default. Members that only the service issues have their current values or are absent.',
    ...TAGGED_REQUEST,
  },
);

/** Body of a patch. */
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
      'A JSON Merge Patch (RFC 7396) of the registration: members to change, and null for those to remove. Members that only the service issues have their current values or are absent.',
    ...TAGGED_REQUEST,
  },
);

const expiresAt = Type.Optional(
  Type.Integer({
    description:
      'When a client that was registered without a token ends unless it is used first, in seconds since the Unix epoch. Absent if the client does not end.',
  }),
);

const STATUSES = ['active', 'pending', 'suspended'];

/** Members shown only to the master token. */
const operatorMembers = {
  status: Type.Optional(
    Type.Enum(STATUSES, { description: 'Shown to the master token when it reads or lists clients.' }),
  ),
  origin: Type.Optional(
    Type.Enum([...CLIENT_ORIGINS], { description: 'How the client was created; shown like `status`.' }),
  ),
  last_used_at: Type.Optional(
    Type.Integer({
      description:
        'When the client was last used, in seconds since the Unix epoch, exact to the minute. Absent if it never was. Shown like `status`.',
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
    Type.String({ description: 'Token for reading, updating and deleting this registration.' }),
  ),
  expires_at: expiresAt,
  ...REGISTERED_METADATA,
  data,
  ...operatorMembers,
};

/** Client information (registration/API.md#client-information). */
export const ClientInformationSchema = Type.Object(information, {
  $id: 'ClientInformation',
  description: 'The issued members and exactly the registered metadata, defaults included.',
  ...TAGGED_RESPONSE,
});

/** Response to a change or its dry run. One schema for both, so that generated clients have a single type. */
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
      'Client information. For a dry run: what would be registered, defaults included, without anything that would be issued.',
    dependentRequired: {
      client_id_issued_at: ['client_id'],
      registration_client_uri: ['client_id', 'client_id_issued_at'],
      client_secret: ['client_id_issued_at', 'client_secret_expires_at'],
      client_secret_expires_at: ['client_id_issued_at', 'client_secret'],
      registration_access_token: ['registration_client_uri'],
      expires_at: ['client_id_issued_at'],
    },
    ...TAGGED_RESPONSE,
  },
);

/** Status of a client. */
export const ClientStatusSchema = Type.Object(
  { status: Type.Enum(STATUSES), expires_at: expiresAt },
  {
    $id: 'ClientStatus',
    description:
      'A pending client waits for approval and can only be managed. A suspended client can only be read.',
  },
);

/** Status changes that can be requested. A client that is not approved is deleted instead. */
export const ChangeStatusSchema = Type.Object(
  { status: Type.Union([Type.Literal('active'), Type.Literal('suspended')]) },
  {
    $id: 'ChangeStatus',
    description: 'The new status of the client.',
    additionalProperties: false,
  },
);
