import Type from 'typebox';
import type { ClientCertificateOptions } from './client-certificate.js';
import { customSetting } from './setting.js';
import type { SettingsProblem } from './settings-error.js';
import { SHARED_SETTINGS } from './shared-settings.js';

const HEADER_NAME = /^[A-Za-z0-9-]{1,64}$/;

/** The settings of a service that looks at client certificates; they count together with `TRUSTED_PROXIES`. */
export const CLIENT_CERTIFICATE_SETTINGS = {
  CLIENT_CERTIFICATE_HEADER: Type.Optional(
    customSetting<string>({
      description:
        'Header in which trusted proxies send the client certificate. Proxies must remove it from what they receive.',
      form: 'the name of a header',
      read: (text) =>
        HEADER_NAME.test(text) ? { value: text } : { problem: 'must be the name of a header' },
    }),
  ),
  CLIENT_CERTIFICATE_HEADER_FORMAT: Type.Enum(['rfc9440', 'pem'], {
    description: 'Form of the certificate there: a byte sequence (RFC 9440), or PEM with percent-encoding.',
    default: 'rfc9440',
  }),
  CLIENT_CERTIFICATE_CHAIN_VERIFIED: Type.Boolean({
    description:
      'Whether the proxies let only certificates of authorities that are trusted for clients pass.',
    default: false,
  }),
  TRUSTED_PROXIES: SHARED_SETTINGS.TRUSTED_PROXIES,
};

/** Those settings, read. */
export interface ClientCertificateSettings {
  readonly CLIENT_CERTIFICATE_HEADER?: string;
  readonly CLIENT_CERTIFICATE_HEADER_FORMAT: 'rfc9440' | 'pem';
  readonly CLIENT_CERTIFICATE_CHAIN_VERIFIED: boolean;
  readonly TRUSTED_PROXIES: readonly string[];
}

/** Where client certificates come from by the settings. */
export function clientCertificateOptions(settings: ClientCertificateSettings): ClientCertificateOptions {
  const { CLIENT_CERTIFICATE_HEADER: name, TRUSTED_PROXIES: trustedProxies } = settings;
  if (name === undefined) return { trustedProxies };
  const header = {
    name,
    format: settings.CLIENT_CERTIFICATE_HEADER_FORMAT,
    isChainVerified: settings.CLIENT_CERTIFICATE_CHAIN_VERIFIED,
  };
  return { header, trustedProxies };
}

/** A header that nobody may send is a mistake. For `loadSettings`. */
export function checkClientCertificateSettings({
  CLIENT_CERTIFICATE_HEADER,
  TRUSTED_PROXIES,
}: ClientCertificateSettings): readonly SettingsProblem[] {
  const isUseless = CLIENT_CERTIFICATE_HEADER !== undefined && TRUSTED_PROXIES.length === 0;
  return isUseless ? [{ name: 'CLIENT_CERTIFICATE_HEADER', problem: 'needs TRUSTED_PROXIES' }] : [];
}
