import { CLIENT_AUTH_METHODS } from '@vestibule/protocol/constants';

/** A metadata member with a field of its own in the forms of clients. The name of the field is that of the member. */
export interface MetadataField {
  readonly name: string;
  readonly label: string;
  /** A text, a list with one text a line, or one of some values. */
  readonly kind: 'text' | 'lines' | 'choice';
  readonly options?: readonly string[];
  readonly hint?: string;
}

/** The members that are set most often, in the order of the form. All others are edited as JSON. */
export const METADATA_FIELDS = [
  { name: 'client_name', label: 'Name', kind: 'text', hint: 'Shown to end-users.' },
  { name: 'redirect_uris', label: 'Redirect URIs', kind: 'lines', hint: 'One a line.' },
  {
    name: 'grant_types',
    label: 'Grant types',
    kind: 'lines',
    hint: 'One a line. Default: authorization_code.',
  },
  {
    name: 'response_types',
    label: 'Response types',
    kind: 'lines',
    hint: 'One a line. Default: what the grant types allow, code first.',
  },
  {
    name: 'token_endpoint_auth_method',
    label: 'Authentication method',
    kind: 'choice',
    options: CLIENT_AUTH_METHODS,
    hint: 'A client without a secret gets one when its method needs it.',
  },
  { name: 'scope', label: 'Scope', kind: 'text', hint: 'Values that it may request, separated by spaces.' },
  { name: 'application_type', label: 'Application type', kind: 'choice', options: ['web', 'native'] },
  { name: 'contacts', label: 'Contacts', kind: 'lines', hint: 'One a line.' },
  { name: 'client_uri', label: 'Home page', kind: 'text' },
  {
    name: 'logo_uri',
    label: 'Logo',
    kind: 'text',
    hint: 'The URL of an image. The console does not load it.',
  },
  { name: 'policy_uri', label: 'Privacy policy', kind: 'text' },
  { name: 'tos_uri', label: 'Terms of service', kind: 'text' },
  { name: 'jwks_uri', label: 'URL of its keys', kind: 'text' },
  {
    name: 'post_logout_redirect_uris',
    label: 'Redirect URIs after logout',
    kind: 'lines',
    hint: 'One a line.',
  },
  { name: 'backchannel_logout_uri', label: 'Back-channel logout URI', kind: 'text' },
  { name: 'frontchannel_logout_uri', label: 'Front-channel logout URI', kind: 'text' },
  { name: 'initiate_login_uri', label: 'URI that starts a login', kind: 'text' },
] as const satisfies readonly MetadataField[];

/** The name of a member with a field of its own. */
export type FieldName = (typeof METADATA_FIELDS)[number]['name'];
