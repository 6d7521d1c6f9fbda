export {
  checkMetadataDocumentSettings,
  METADATA_DOCUMENT_SETTINGS,
} from './metadata-document-settings.js';
export { REGISTRATION_POLICY_SETTINGS } from './registration-policy-settings.js';
