import { sha256 } from '@vestibule/crypto';
import Type from 'typebox';
import type { ClientCertificateOptions, ProxyProof } from '../authentication/client-certificate.js';
import type { SettingsProblem } from '../settings/load-settings.js';
import type { Secret } from '../settings/secret.js';
import { customSetting, type Reading, secretSetting, splitList } from '../settings/setting.js';
import { SHARED_SETTINGS } from './shared-settings.js';

const HEADER_NAME = /^[A-Za-z0-9-]{1,64}$/;
const PROXY_SECRET = /^[!-~]{32,1024}$/;

/** Settings of services that accept client certificates. They work together with `TRUSTED_PROXIES`. */
export const CLIENT_CERTIFICATE_SETTINGS = {
  CLIENT_CERTIFICATE_HEADER: Type.Optional(
    headerSetting({
      description:
        'Header in which trusted proxies send the client certificate. Proxies must remove it from incoming requests.',
    }),
  ),
  CLIENT_CERTIFICATE_HEADER_FORMAT: Type.Enum(['rfc9440', 'pem'], {
    description:
      'Format of the certificate in that header: a byte sequence (RFC 9440), or percent-encoded PEM.',
    default: 'rfc9440',
  }),
  CLIENT_CERTIFICATE_CHAIN_VERIFIED: Type.Boolean({
    description:
      'Whether the proxies forward only certificates issued by authorities that are trusted for clients.',
    default: false,
  }),
  CLIENT_CERTIFICATE_PROXY_PROOF: Type.Enum(['secret', 'mutual-tls'], {
    description:
      'How proxies authenticate in addition to their address: with a secret, or with a certificate if the service terminates TLS.',
    default: 'secret',
  }),
  CLIENT_CERTIFICATE_PROXY_SECRET: Type.Optional(
    secretSetting({
      description: 'Secret that proxies send with the client certificate.',
      form: 'at least 32 visible characters',
      problem: (text) => (PROXY_SECRET.test(text) ? undefined : 'must be at least 32 visible characters'),
    }),
  ),
  CLIENT_CERTIFICATE_PROXY_SECRET_HEADER: headerSetting({
    description:
      'Header that carries CLIENT_CERTIFICATE_PROXY_SECRET. Proxies must remove it from incoming requests.',
    default: 'Client-Cert-Proof',
  }),
  CLIENT_CERTIFICATE_PROXIES: customSetting<readonly string[]>({
    description:
      'Certificates of proxies that authenticate with mutual TLS, by subject alternative name or thumbprint. Any other certificate is a client certificate.',
    form: 'comma-separated DNS names and SHA-256 thumbprints in hexadecimal',
    default: [],
    read: readProxies,
  }),
  TRUSTED_PROXIES: SHARED_SETTINGS.TRUSTED_PROXIES,
};

/** A thumbprint is longer than any DNS label, so the two cannot be confused. */
const PROXY = /^(?:[0-9a-fA-F]{64}|(?=.{1,253}$)[a-zA-Z0-9_-]{1,63}(?:\.[a-zA-Z0-9_-]{1,63})*)$/;

function readProxies(text: string): Reading<readonly string[]> {
  const proxies = splitList(text);
  return proxies.every((proxy) => PROXY.test(proxy))
    ? { value: proxies.map((proxy) => proxy.toLowerCase()) }
    : { problem: 'must be comma-separated DNS names and SHA-256 thumbprints in hexadecimal' };
}

function headerSetting(options: { readonly description: string; readonly default?: string }) {
  return customSetting<string>({
    ...options,
    form: 'a header name',
    read: (text) => (HEADER_NAME.test(text) ? { value: text } : { problem: 'must be a header name' }),
  });
}

/** The parsed settings. */
export interface ClientCertificateSettings {
  readonly CLIENT_CERTIFICATE_HEADER?: string;
  readonly CLIENT_CERTIFICATE_HEADER_FORMAT: 'rfc9440' | 'pem';
  readonly CLIENT_CERTIFICATE_CHAIN_VERIFIED: boolean;
  readonly CLIENT_CERTIFICATE_PROXY_PROOF: 'secret' | 'mutual-tls';
  readonly CLIENT_CERTIFICATE_PROXY_SECRET?: Secret;
  readonly CLIENT_CERTIFICATE_PROXY_SECRET_HEADER: string;
  readonly CLIENT_CERTIFICATE_PROXIES: readonly string[];
  readonly TRUSTED_PROXIES: readonly string[];
}

/** Options of the client certificate reader, from the settings. */
export function clientCertificateOptions(settings: ClientCertificateSettings): ClientCertificateOptions {
  const { CLIENT_CERTIFICATE_HEADER: name, TRUSTED_PROXIES: trustedProxies } = settings;
  if (name === undefined) return { trustedProxies };
  const header = {
    name,
    format: settings.CLIENT_CERTIFICATE_HEADER_FORMAT,
    isChainVerified: settings.CLIENT_CERTIFICATE_CHAIN_VERIFIED,
    proof: proxyProof(settings),
  };
  return { header, trustedProxies };
}

function proxyProof(settings: ClientCertificateSettings): ProxyProof {
  const { CLIENT_CERTIFICATE_PROXY_SECRET: secret, CLIENT_CERTIFICATE_PROXY_SECRET_HEADER: header } =
    settings;
  // The settings check requires a secret. Without one, no proxy is authenticated.
  if (settings.CLIENT_CERTIFICATE_PROXY_PROOF === 'mutual-tls' || secret === undefined)
    return { kind: 'mutual-tls', proxies: settings.CLIENT_CERTIFICATE_PROXIES };
  return { kind: 'secret', header, digest: sha256(secret.reveal()) };
}

/** Refuses settings under which no proxy, or every peer, could send the header. For `loadSettings`. */
export function checkClientCertificateSettings({
  CLIENT_CERTIFICATE_HEADER: header,
  CLIENT_CERTIFICATE_PROXY_PROOF: proof,
  CLIENT_CERTIFICATE_PROXY_SECRET: secret,
  CLIENT_CERTIFICATE_PROXIES: proxies,
  TRUSTED_PROXIES,
}: ClientCertificateSettings): readonly SettingsProblem[] {
  if (proxies.length > 0 && (header === undefined || proof === 'secret'))
    return [
      {
        name: 'CLIENT_CERTIFICATE_PROXIES',
        problem: 'needs CLIENT_CERTIFICATE_HEADER and CLIENT_CERTIFICATE_PROXY_PROOF=mutual-tls',
      },
    ];
  if (header === undefined) return [];
  if (TRUSTED_PROXIES.length === 0)
    return [{ name: 'CLIENT_CERTIFICATE_HEADER', problem: 'needs TRUSTED_PROXIES' }];
  if (proof === 'mutual-tls')
    return proxies.length === 0
      ? [
          {
            name: 'CLIENT_CERTIFICATE_PROXIES',
            problem: 'is required with CLIENT_CERTIFICATE_PROXY_PROOF=mutual-tls',
          },
        ]
      : [];
  return secret === undefined
    ? [{ name: 'CLIENT_CERTIFICATE_PROXY_SECRET', problem: 'is required with CLIENT_CERTIFICATE_HEADER' }]
    : [];
}
