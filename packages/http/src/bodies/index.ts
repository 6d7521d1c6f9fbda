export type { BodyFormat } from './body-format.js';
export { isCleanText } from './clean-text.js';
export { type FormBody, type FormBodyOptions, formBody } from './form-body.js';
export { type JsonBodyOptions, jsonBody } from './json-body.js';
export { type BodyLine, readLines } from './read-lines.js';
export { eitherBody, streamedBody } from './streamed-body.js';
export { type TextBodyOptions, textBody } from './text-body.js';
export { parseUrlEncoded, type UrlEncodedFields } from './url-encoded.js';
