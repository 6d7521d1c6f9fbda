import { isPrivateUseScheme, MAX_SCOPE_LENGTH, STRICT_METADATA_SETTINGS } from '@vestibule/metadata';
import Type from 'typebox';
import { customSetting, splitList } from './setting.js';

const Length = (subject: string, fallback: number, minimum: number) =>
  Type.Integer({
    description: `Characters of a generated ${subject}.`,
    default: fallback,
    minimum,
    maximum: 256,
  });
const Seconds = (description: string, fallback: number, maximum: number) =>
  Type.Integer({ description, default: fallback, minimum: 0, maximum });

/** Settings about clients, on which the services that register some must agree. */
export const CLIENT_SETTINGS = {
  CLIENT_ID_LENGTH: Length('client identifier', 22, 22),
  CLIENT_SECRET_LENGTH: Length('client secret', 43, 43),
  CLIENT_SECRET_LIFETIME_SECONDS: Seconds(
    'Life of a client secret, in seconds; 0 for ever.',
    0,
    3_153_600_000,
  ),
  CLIENT_SECRET_OVERLAP_SECONDS: Seconds(
    'How long a replaced client secret may go on authenticating, in seconds; 0 for not at all.',
    0,
    2_592_000,
  ),
  EARLIER_SECRET_RETENTION_SECONDS: Seconds(
    'How long a replaced secret is kept for ID token hints that were made under it, in seconds; of each client the 50 newest count.',
    2_592_000,
    315_360_000,
  ),
  ALLOW_LOOPBACK_REDIRECT_URIS: Type.Boolean({
    description:
      'Whether web clients may register redirect URIs on loopback addresses. For development alone.',
    default: false,
  }),
  PRIVATE_USE_SCHEMES: customSetting<readonly string[]>({
    description:
      'Schemes without a dot that redirect URIs of native clients may have, such as `myapp` for `myapp:/callback`. Any other application on a device can claim such a scheme as well (RFC 8252 section 7.1).',
    form: 'comma-separated schemes in lower case, without colon',
    default: [],
    read: (text) => {
      const schemes = splitList(text);
      const isList = schemes.every(isPrivateUseScheme);
      return isList
        ? { value: schemes }
        : {
            problem:
              'must be comma-separated schemes in lower case, without dot and colon, that no browser or system acts on itself',
          };
    },
  }),
  CLIENT_SCOPE_MAX_LENGTH: Type.Integer({
    description: 'The longest `scope` that a client may register, in characters.',
    default: STRICT_METADATA_SETTINGS.maxScopeLength,
    minimum: 1,
    maximum: MAX_SCOPE_LENGTH,
  }),
};
