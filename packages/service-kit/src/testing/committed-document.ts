import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '../openapi/openapi-document.js';

/** The API document as an application has committed it. */
export function committedDocument(file: URL): OpenApiDocument {
  return JSON.parse(readFileSync(file, 'utf8'));
}
