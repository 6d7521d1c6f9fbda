import {
  type ClientFilter,
  type ListClientsInput,
  MAX_NAME_PART_LENGTH,
  MAX_NAME_PREFIX_LENGTH,
  MIN_NAME_PART_LENGTH,
} from '@vestibule/clients/management';
import { epochSeconds, type Issuer } from '@vestibule/protocol';
import { registrationEndpoint } from '@vestibule/protocol/constants';
import { type Static, Type } from 'typebox';
import { hasOnlyKnownParameters, unknownParameter } from './known-parameters.js';

const Seconds = (description: string) =>
  Type.Optional(Type.String({ description, pattern: '^[0-9]{1,10}$' }));

/** Query parameters of the list. */
export const ListQuery = Type.Object({
  limit: Type.Optional(
    Type.String({
      description: 'Maximum number of clients in the response, 1 to 1000. Default: all.',
      pattern: '^(?:[1-9][0-9]{0,2}|1000)$',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      description:
        'Start of the page, from the `next` link of the previous response. The filters must be the same.',
      minLength: 1,
      maxLength: 4096,
    }),
  ),
  client_name: Type.Optional(
    Type.String({
      description: 'The beginning of `client_name`, ignoring the case of ASCII letters.',
      minLength: 1,
      maxLength: MAX_NAME_PREFIX_LENGTH,
    }),
  ),
  client_name_contains: Type.Optional(
    Type.String({
      description:
        'A part of `client_name` in any of its languages. Case is ignored in the Latin letters of European languages and Vietnamese, in Greek and in Cyrillic.',
      minLength: MIN_NAME_PART_LENGTH,
      maxLength: MAX_NAME_PART_LENGTH,
    }),
  ),
  redirect_uri: Type.Optional(
    Type.String({
      description: 'One of `redirect_uris`, character by character.',
      minLength: 1,
      maxLength: 2048,
    }),
  ),
  contact: Type.Optional(
    Type.String({
      description: 'One of `contacts` as a whole, ignoring case like `client_name_contains`.',
      minLength: 1,
      maxLength: 2048,
    }),
  ),
  grant_type: Type.Optional(
    Type.String({ description: 'One of `grant_types`.', minLength: 1, maxLength: 200 }),
  ),
  origin: Type.Optional(
    Type.Enum(
      ['registration', 'open_registration', 'import', 'federation_explicit', 'federation_automatic'],
      {
        description:
          'How the client was created: `open_registration` without a credential, `import` with a preset identifier or secret.',
      },
    ),
  ),
  software_id: Type.Optional(
    Type.String({ description: 'The `software_id`, exactly.', minLength: 1, maxLength: 2048 }),
  ),
  issued_after: Seconds('Issued after this time, in seconds since the Unix epoch.'),
  issued_before: Seconds('Issued before this time, in seconds since the Unix epoch.'),
  status: Type.Optional(
    Type.Enum(['active', 'pending', 'suspended'], {
      description: 'A pending client waits for approval; a suspended one was disabled by an operator.',
    }),
  ),
});

/** Validated query parameters of the list. */
export type ListParameters = Static<typeof ListQuery>;

/**
 * Converts the query into the input of the operation.
 * @throws DomainError `invalid_request` for an unknown parameter: a misspelt filter would silently list everything
 */
export function listInput(parameters: ListParameters): Omit<ListClientsInput, 'token'> {
  if (!hasOnlyKnownParameters(parameters, ListQuery)) throw unknownParameter(ListQuery);
  const { limit, cursor } = parameters;
  return { filter: filterOf(parameters), limit: limit === undefined ? undefined : Number(limit), cursor };
}

function filterOf(parameters: ListParameters): ClientFilter {
  const { client_name, client_name_contains, redirect_uri, contact } = parameters;
  const { grant_type, origin, software_id, issued_after, issued_before, status } = parameters;
  return {
    ...(client_name !== undefined && { namePrefix: client_name }),
    ...(client_name_contains !== undefined && { namePart: client_name_contains }),
    ...(redirect_uri !== undefined && { redirectUri: redirect_uri }),
    ...(contact !== undefined && { contact }),
    ...(grant_type !== undefined && { grantType: grant_type }),
    ...(origin !== undefined && { origin }),
    ...(software_id !== undefined && { softwareId: software_id }),
    ...(issued_after !== undefined && { issuedAfter: epochSeconds(Number(issued_after)) }),
    ...(issued_before !== undefined && { issuedBefore: epochSeconds(Number(issued_before)) }),
    ...(status !== undefined && { status }),
  };
}

/** Formats the `Link` to the next page (RFC 8288 section 3): the same list from the cursor on. */
export function nextLink(issuer: Issuer, parameters: ListParameters, cursor: string): string {
  const query = new URLSearchParams({ ...parameters, cursor });
  return `<${registrationEndpoint(issuer)}?${query}>; rel="next"`;
}
