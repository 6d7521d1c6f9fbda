import { MAX_SCOPE_LENGTH, STRICT_METADATA_SETTINGS } from '@vestibule/metadata';
import { isPrivateUseScheme, KNOWN_PRIVATE_USE_SCHEMES } from '@vestibule/metadata/uris';
import Type from 'typebox';
import { customSetting, splitList } from '../settings/setting.js';

const Length = (subject: string, fallback: number, minimum: number) =>
  Type.Integer({
    description: `Length of a generated ${subject}, in characters.`,
    default: fallback,
    minimum,
    maximum: 256,
  });
const Seconds = (description: string, fallback: number, maximum: number) =>
  Type.Integer({ description, default: fallback, minimum: 0, maximum });

/** Client settings. All services that register clients must use the same values. */
export const CLIENT_SETTINGS = {
  CLIENT_ID_LENGTH: Length('client identifier', 22, 22),
  CLIENT_SECRET_LENGTH: Length('client secret', 43, 43),
  CLIENT_SECRET_LIFETIME_SECONDS: Seconds(
    'Lifetime of a client secret, in seconds; 0 means that it does not expire.',
    0,
    3_153_600_000,
  ),
  CLIENT_SECRET_OVERLAP_SECONDS: Seconds(
    'How long the previous client secret still authenticates the client after a replacement, in seconds; 0 means not at all.',
    0,
    2_592_000,
  ),
  PREVIOUS_SECRET_RETENTION_SECONDS: Seconds(
    'How long a replaced secret is kept to verify ID token hints that were signed with it, in seconds. At most the 50 newest per client are used.',
    2_592_000,
    315_360_000,
  ),
  ALLOW_LOOPBACK_REDIRECT_URIS: Type.Boolean({
    description:
      'Whether web clients may register redirect URIs on loopback addresses. For development only.',
    default: false,
  }),
  PRIVATE_USE_SCHEMES: customSetting<readonly string[]>({
    description:
      'Schemes without a dot that native clients may use in redirect URIs, such as `myapp` for `myapp:/callback`. A list replaces the default, which has those of applications that register themselves; `none` permits none. Any other app on the device can claim the same scheme (RFC 8252 section 7.1).',
    form: 'comma-separated lower-case schemes, without the colon, or none',
    default: KNOWN_PRIVATE_USE_SCHEMES,
    read: (text) => {
      const schemes = text === 'none' ? [] : splitList(text);
      const isList = schemes.every(isPrivateUseScheme);
      return isList
        ? { value: schemes }
        : {
            problem:
              'must be comma-separated lower-case schemes without dot and colon, and none that browsers or operating systems handle themselves',
          };
    },
  }),
  CLIENT_SCOPE_MAX_LENGTH: Type.Integer({
    description: 'Maximum length of the `scope` of a client, in characters.',
    default: STRICT_METADATA_SETTINGS.maxScopeLength,
    minimum: 1,
    maximum: MAX_SCOPE_LENGTH,
  }),
};
