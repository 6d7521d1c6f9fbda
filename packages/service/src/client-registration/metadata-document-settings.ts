import { type DocumentHosts, parseDocumentHosts } from '@vestibule/clients/metadata-documents';
import type { GrantedScopes } from '@vestibule/scopes';
import Type from 'typebox';
import { readGrantedScopes } from '../federation/setting-forms.js';
import type { SettingsCheck } from '../settings/load-settings.js';
import { customSetting } from '../settings/setting.js';

const HOSTS_FORM = 'off, any, or comma-separated hosts';

const GRANTED_SCOPES_FORM = 'space-separated client-reg scope values';

const MAX_SECONDS = 2_592_000;

const Seconds = (description: string, fallback: number) =>
  Type.Integer({ description, default: fallback, minimum: 0, maximum: MAX_SECONDS });
const Count = (description: string, fallback: number) =>
  Type.Integer({ description, default: fallback, minimum: 0, maximum: 1_000_000 });

/** Settings of client ID metadata documents (draft-ietf-oauth-client-id-metadata-document-03). */
export const METADATA_DOCUMENT_SETTINGS = {
  CLIENT_ID_METADATA_DOCUMENTS: customSetting<DocumentHosts | 'off'>({
    description:
      'Whether a client may identify itself by the URL of its client ID metadata document (draft-ietf-oauth-client-id-metadata-document-03), and on which hosts. `*.app.example` means its subdomains; a host without a port means the default port. `any` lets any website register a client.',
    form: HOSTS_FORM,
    default: 'off',
    read: (text) => {
      if (text === 'off') return { value: 'off' };
      const value = parseDocumentHosts(text);
      return value === undefined
        ? { problem: `must be ${HOSTS_FORM}; in lower case, internationalized names in punycode` }
        : { value };
    },
  }),
  METADATA_DOCUMENT_URIS: Type.Enum(['same_origin', 'any'], {
    description:
      'Where the URIs of a document may point (redirects, logout, keys, sector): `same_origin` for the origin of the document, and the device itself for redirects; or `any`.',
    default: 'same_origin',
  }),
  METADATA_DOCUMENT_RIGHTS: Type.Optional(
    customSetting<GrantedScopes>({
      description:
        'What documents may register in addition to the code, implicit and refresh token grants and the scope values in OPEN_REGISTRATION_SCOPES. Other scope values are left out.',
      form: GRANTED_SCOPES_FORM,
      read: (text) => {
        const value = readGrantedScopes(text);
        return value === undefined ? { problem: `must be ${GRANTED_SCOPES_FORM}` } : { value };
      },
    }),
  ),
  METADATA_DOCUMENT_MAX_BYTES: Type.Integer({
    description: 'Largest document, in bytes.',
    default: 5_120,
    minimum: 256,
    maximum: 65_536,
  }),
  METADATA_DOCUMENT_MIN_SECONDS: Seconds(
    'Minimum time for which a fetched document counts, whatever its caching headers say, in seconds.',
    300,
  ),
  METADATA_DOCUMENT_MAX_SECONDS: Seconds(
    'Maximum time for which a fetched document counts, in seconds. Changed keys and redirect URIs take effect no later.',
    86_400,
  ),
  METADATA_DOCUMENT_STALE_SECONDS: Seconds(
    'How much longer a document counts while its host cannot be reached, in seconds.',
    21_600,
  ),
  METADATA_DOCUMENT_RETRY_SECONDS: Seconds(
    'Pause before a document is fetched again after it was refused or could not be fetched, in seconds.',
    10,
  ),
  METADATA_DOCUMENT_WITHDRAWN: Type.Enum(['end', 'refuse'], {
    description:
      'What happens to the client of a document that its host no longer has (404 or 410): `end` deletes it with its grants and tokens, `refuse` only refuses its requests.',
    default: 'end',
  }),
  METADATA_DOCUMENT_WITHDRAWN_SECONDS: Seconds(
    'How long a document must have been gone before METADATA_DOCUMENT_WITHDRAWN ends its client, in seconds. Requests are refused at once.',
    3_600,
  ),
  METADATA_DOCUMENT_UNUSED_SECONDS: Seconds(
    'How long the client of a document stays if no end-user allows it access and it gets no token, in seconds; 0 for ever.',
    86_400,
  ),
  METADATA_DOCUMENT_MAX_UNUSED: Count(
    'Maximum number of documents that were refused or whose client was never used; beyond it, unknown documents are refused without a fetch. One network (/24, /56) may hold at most as many as it leaves room for. 0 for no limit.',
    10_000,
  ),
  METADATA_DOCUMENT_FETCHES_PER_MINUTE: Count(
    'Maximum fetches of documents without a used client per minute and process; 0 for no limit.',
    600,
  ),
  METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_NETWORK: Count(
    'Maximum fetches of documents without a used client per minute and process that one network (/24, /56) causes; 0 for no limit.',
    30,
  ),
  METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_HOST: Count(
    'Maximum fetches of documents whose client was used, per minute and process from one host; beyond it, the last document counts as if the host could not be reached. 0 for no limit.',
    60,
  ),
};

interface CheckedSettings {
  readonly METADATA_DOCUMENT_MIN_SECONDS: number;
  readonly METADATA_DOCUMENT_MAX_SECONDS: number;
}

/** Refuses bounds of the lifetime that contradict each other. */
export const checkMetadataDocumentSettings: SettingsCheck<CheckedSettings> = ({
  METADATA_DOCUMENT_MIN_SECONDS: least,
  METADATA_DOCUMENT_MAX_SECONDS: most,
}) =>
  least <= most
    ? []
    : [
        {
          name: 'METADATA_DOCUMENT_MIN_SECONDS',
          problem: 'must not exceed METADATA_DOCUMENT_MAX_SECONDS',
        },
      ];
