import { status } from '@grpc/grpc-js';
import type { Decision, HeaderFields } from '../decision.js';
import type { CheckResponse, HeaderValueOption } from './messages.js';

/** `OVERWRITE_IF_EXISTS_OR_ADD` of `HeaderAppendAction`. */
const OVERWRITE_IF_EXISTS_OR_ADD = 2;

/** Codes for the log of Envoy. The client gets the HTTP status. */
const CODES: Readonly<Record<number, number>> = {
  400: status.INVALID_ARGUMENT,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  500: status.INTERNAL,
  503: status.UNAVAILABLE,
};

/**
 * Composes the response to Envoy. Headers for the upstream replace those of the client, and empty ones remove them. A
 * refusal is never an error of the call: that Envoy would let pass with `failure_mode_allow`.
 */
export function checkResponse(decision: Decision): CheckResponse {
  if (decision.outcome === 'refused') {
    const { status: code, headers, body } = decision;
    return {
      status: { code: CODES[code] ?? status.PERMISSION_DENIED },
      denied_response: { status: { code }, headers: headerOptions(headers), body },
    };
  }
  const { headers, responseHeaders } = decision;
  return {
    status: { code: status.OK },
    ok_response: {
      headers: headerOptions(headers),
      headers_to_remove: Object.keys(headers).filter((key) => headers[key] === ''),
      response_headers_to_add: headerOptions(responseHeaders),
    },
  };
}

function headerOptions(headers: HeaderFields): readonly HeaderValueOption[] {
  return Object.entries(headers)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => ({ header: { key, value }, append_action: OVERWRITE_IF_EXISTS_OR_ADD }));
}
