export type { ClientMetadata } from './client-metadata.js';
