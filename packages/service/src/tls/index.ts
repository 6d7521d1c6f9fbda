export {
  type CertificateHeader,
  type ClientCertificateOptions,
  type ClientCertificateReading,
  clientCertificateReader,
  type PresentedCertificate,
} from '../authentication/client-certificate.js';
export {
  type ClientCertificateSettings,
  clientCertificateOptions,
} from '../shared-settings/client-certificate-settings.js';
export { serverTls, type TlsSettings } from '../shared-settings/tls-settings.js';
