import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '../openapi/openapi-document.js';

/** Reads the committed API document of an application. */
export function committedDocument(file: URL): OpenApiDocument {
  return JSON.parse(readFileSync(file, 'utf8'));
}
