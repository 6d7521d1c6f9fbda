import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { ServerTls } from '@vestibule/http';
import Type from 'typebox';
import type { SettingsProblem } from '../settings/load-settings.js';
import type { Secret } from '../settings/secret.js';
import { secretSetting } from '../settings/setting.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

/** Settings of services that can terminate TLS. They are read once: a renewed certificate needs a restart. */
export const TLS_SETTINGS = {
  TLS_CERTIFICATE: Type.Optional(
    secretSetting({
      description:
        'Server certificate, followed by its intermediate certificates, if the service terminates TLS itself.',
      form: 'PEM certificates',
      problem: (text) => (certificatesOf(text) === undefined ? 'must be PEM certificates' : undefined),
    }),
  ),
  TLS_KEY: Type.Optional(
    secretSetting({
      description: 'Private key of TLS_CERTIFICATE.',
      form: 'a PEM private key without a password',
      problem: (text) => (keyOf(text) === undefined ? 'must be a PEM private key' : undefined),
    }),
  ),
  TLS_CLIENT_AUTHORITIES: Type.Optional(
    secretSetting({
      description:
        'Certificate authorities trusted for client certificates. With TLS, the service requests a certificate from every client.',
      form: 'PEM certificates',
      problem: (text) => (certificatesOf(text) === undefined ? 'must be PEM certificates' : undefined),
    }),
  ),
};

/** The parsed settings. */
export interface TlsSettings {
  readonly TLS_CERTIFICATE?: Secret;
  readonly TLS_KEY?: Secret;
  readonly TLS_CLIENT_AUTHORITIES?: Secret;
}

/** TLS options from the settings; `undefined` if the service does not terminate TLS. */
export function serverTls({
  TLS_CERTIFICATE: certificate,
  TLS_KEY: key,
  TLS_CLIENT_AUTHORITIES: authorities,
}: TlsSettings): ServerTls | undefined {
  if (certificate === undefined || key === undefined) return undefined;
  return {
    certificate: certificate.reveal(),
    key: key.reveal(),
    ...(authorities && { clientAuthorities: authorities.reveal() }),
  };
}

/** Refuses a certificate without its key, and a key without its certificate. For `loadSettings`. */
export function checkTlsSettings({
  TLS_CERTIFICATE: certificate,
  TLS_KEY: key,
  TLS_CLIENT_AUTHORITIES: authorities,
}: TlsSettings): readonly SettingsProblem[] {
  if (certificate === undefined) {
    const useless = { TLS_KEY: key, TLS_CLIENT_AUTHORITIES: authorities };
    return Object.entries(useless).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, problem: 'needs TLS_CERTIFICATE' }],
    );
  }
  if (key === undefined) return [{ name: 'TLS_KEY', problem: 'is required with TLS_CERTIFICATE' }];
  const privateKey = keyOf(key.reveal());
  const isOwn = privateKey && certificatesOf(certificate.reveal())?.[0]?.checkPrivateKey(privateKey);
  return isOwn ? [] : [{ name: 'TLS_KEY', problem: 'is not the key of TLS_CERTIFICATE' }];
}

function certificatesOf(pem: string): readonly X509Certificate[] | undefined {
  try {
    const certificates = (pem.match(CERTIFICATE) ?? []).map((each) => new X509Certificate(each));
    return certificates.length === 0 ? undefined : certificates;
  } catch {
    return undefined;
  }
}

function keyOf(pem: string) {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
