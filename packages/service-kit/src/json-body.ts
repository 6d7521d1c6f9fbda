import { DomainError, MEDIA_TYPE } from '@vestibule/protocol';
import type { BodyFormat } from './body-format.js';
import { bodyText } from './body-text.js';
import { bytesBody } from './bytes-body.js';
import { DEFAULT_JSON_LIMITS, findJsonProblem, type JsonLimits } from './json-scanner.js';

/** Limits of a JSON body; what is left out has the value of {@link DEFAULT_JSON_LIMITS}. */
export interface JsonBodyOptions extends Partial<JsonLimits> {
  /** The largest body, in bytes. Default 65,536. */
  readonly maxBytes?: number;
}

/**
 * `application/json`: UTF-8, within the limits, every member name once, no reserved member name, finite numbers, clean
 * strings. The value itself may be of any kind; the schema of the route says which.
 */
export function jsonBody({ maxBytes = 65_536, ...limits }: JsonBodyOptions = {}): BodyFormat {
  const effective: JsonLimits = { ...DEFAULT_JSON_LIMITS, ...limits };
  return bytesBody({
    mediaTypes: [MEDIA_TYPE.json],
    maxBytes,
    parse: (bytes) => parseJson(bodyText(bytes), effective),
  });
}

function parseJson(text: string, limits: JsonLimits): unknown {
  const problem = findJsonProblem(text, limits);
  if (problem !== undefined) throw new DomainError('invalid_request', problem);
  try {
    return JSON.parse(text);
  } catch {
    // The engine's message quotes the text, so it is not kept as a cause.
    throw new DomainError('invalid_request', 'The body is not valid JSON');
  }
}
