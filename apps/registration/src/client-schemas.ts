import { ClientMetadataSchema } from '@vestibule/metadata';
import { type TSchema, Type } from 'typebox';

/** How a client may have come to be. */
export const CLIENT_ORIGINS = [
  'registration',
  'open_registration',
  'import',
  'federation_explicit',
  'federation_automatic',
];

/** Members that may be repeated in other languages (RFC 7591 section 2.2). */
const TAGGED = '^(?:client_name|client_uri|logo_uri|policy_uri|tos_uri)#.+$';
const LANGUAGE_TAGGED = { patternProperties: { [TAGGED]: Type.String() } };

const data = Type.Optional(
  Type.Unsafe<object>({
    type: 'object',
    description:
      'Custom data. Setting or changing it takes the scope value client-reg:data or the master token; without either, data that is there stays.',
  }),
);

const clientId = Type.String({ description: 'Identifier of the client.' });

/** The body of a registration. */
export const RegistrationRequestSchema = Type.Object(
  {
    ...ClientMetadataSchema.properties,
    data,
    preferred_client_id: Type.Optional(Type.String({ description: 'Presets the identifier, for imports.' })),
    preferred_client_secret: Type.Optional(Type.String({ description: 'Presets the secret, for imports.' })),
  },
  {
    $id: 'RegistrationRequest',
    description:
      'Client metadata (RFC 7591 section 2, OpenID Connect DCR 1.0 section 2). Unknown members are ignored; null is the same as leaving a member out.',
    ...LANGUAGE_TAGGED,
  },
);

/** The body of an update. */
export const UpdateRequestSchema = Type.Object(
  {
    client_id: clientId,
    client_secret: Type.Optional(Type.String({ description: 'The present secret, or nothing.' })),
    ...ClientMetadataSchema.properties,
    data,
  },
  {
    $id: 'UpdateRequest',
    description:
      'The whole registration as it is to be. What is left out falls back to its default; members that only the service issues are as at present, or absent.',
    ...LANGUAGE_TAGGED,
  },
);

const { client_id: _id, ...changeable } = UpdateRequestSchema.properties;

/** The body of a patch. */
export const PatchRequestSchema = Type.Object(
  {
    client_id: Type.Optional(clientId),
    ...Object.fromEntries(Object.entries(changeable).map(([name, member]) => [name, nullable(member)])),
  },
  {
    $id: 'PatchRequest',
    description:
      'A JSON Merge Patch (RFC 7396) of the registration: members to change, and null for those to take away. Members that only the service issues are as at present, or absent.',
    patternProperties: { [TAGGED]: nullable(Type.String()) },
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

/** Client information (Seed 2.2). */
export const ClientInformationSchema = Type.Object(
  {
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
    ...ClientMetadataSchema.properties,
    data,
    ...operatorMembers,
  },
  {
    $id: 'ClientInformation',
    description: 'What was issued, and exactly what is registered, defaults included.',
    additionalProperties: false,
    ...LANGUAGE_TAGGED,
  },
);

/** What a dry run answers. */
export const EffectiveRegistrationSchema = Type.Object(
  {
    client_id: Type.Optional(Type.String({ description: 'Where it is known already.' })),
    ...ClientMetadataSchema.properties,
    data,
  },
  {
    $id: 'EffectiveRegistration',
    description: 'What would be registered, defaults included, without anything that would be issued.',
    additionalProperties: false,
    ...LANGUAGE_TAGGED,
  },
);

/** The status of a client. */
export const ClientStatusSchema = Type.Object(
  { status: Type.Enum(STATUSES), expires_at: expiresAt },
  {
    $id: 'ClientStatus',
    description:
      'A pending client waits for approval and may do nothing but be managed. A suspended client may do nothing but be read.',
    additionalProperties: false,
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

function nullable(member: TSchema): TSchema {
  return Type.Optional(Type.Union([member, Type.Null()]));
}
