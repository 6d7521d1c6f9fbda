import protobuf, { type IField, type IMapField, type IType } from 'protobufjs/light.js';

/** Fields of a message by their published names, each with its type and number. */
function message(fields: Readonly<Record<string, IField>>): IType {
  return { fields: { ...fields } };
}

function field(type: string, id: number): IField {
  return { type, id };
}

function list(type: string, id: number): IField {
  return { type, id, rule: 'repeated' };
}

/** A protobuf map from texts to texts. */
function textMap(id: number): IMapField {
  return { keyType: 'string', type: 'string', id };
}

/**
 * The messages of the packages `envoy.service.auth.v3` (with `envoy.config.core.v3`, `envoy.type.v3` and `google.rpc`) and
 * `grpc.health.v1`, with the published names and numbers of the fields that this service reads or writes. Other fields are
 * skipped when a message is read. Enumerations are declared as numbers, which are encoded alike.
 */
export const MESSAGES = protobuf.Root.fromJSON({
  nested: {
    CheckRequest: message({ attributes: field('AttributeContext', 1) }),
    AttributeContext: message({ source: field('Peer', 1), request: field('Request', 4) }),
    Peer: message({ certificate: field('string', 5) }),
    Request: message({ http: field('HttpRequest', 2) }),
    HttpRequest: message({
      method: field('string', 2),
      headers: textMap(3),
      path: field('string', 4),
      host: field('string', 5),
      header_map: field('HeaderMap', 13),
    }),
    HeaderMap: message({ headers: list('HeaderValue', 1) }),
    HeaderValue: message({
      key: field('string', 1),
      value: field('string', 2),
      raw_value: field('bytes', 3),
    }),
    CheckResponse: message({
      status: field('Status', 1),
      denied_response: field('DeniedHttpResponse', 2),
      ok_response: field('OkHttpResponse', 3),
    }),
    Status: message({ code: field('int32', 1) }),
    DeniedHttpResponse: message({
      status: field('HttpStatus', 1),
      headers: list('HeaderValueOption', 2),
      body: field('string', 3),
    }),
    HttpStatus: message({ code: field('int32', 1) }),
    OkHttpResponse: message({
      headers: list('HeaderValueOption', 2),
      headers_to_remove: list('string', 5),
      response_headers_to_add: list('HeaderValueOption', 6),
    }),
    HeaderValueOption: message({ header: field('HeaderValue', 1), append_action: field('int32', 3) }),
    HealthCheckRequest: message({ service: field('string', 1) }),
    HealthCheckResponse: message({ status: field('int32', 1) }),
  },
});

/** A request of Envoy. A member that is absent has the default of its type. */
export interface CheckRequest {
  readonly attributes?: { readonly source?: Peer; readonly request?: { readonly http?: HttpRequest } };
}

interface Peer {
  /** The certificate of the client: percent-encoded PEM. */
  readonly certificate?: string;
}

/** The request of the client. Its headers are in `headers`, or in `header_map` with `encode_raw_headers`. */
export interface HttpRequest {
  readonly method?: string;
  /** By name in lower case. Headers of one name are joined with commas. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Path and query, not decoded. */
  readonly path?: string;
  readonly host?: string;
  readonly header_map?: { readonly headers?: readonly HeaderValue[] };
}

/** A header field. Its value is in one of two members. */
export interface HeaderValue {
  readonly key?: string;
  readonly value?: string;
  readonly raw_value?: Uint8Array;
}

/** The response to Envoy. */
export interface CheckResponse {
  /** A code of gRPC; the request of the client passes if it is 0. */
  readonly status: { readonly code: number };
  readonly denied_response?: DeniedHttpResponse;
  readonly ok_response?: OkHttpResponse;
}

interface DeniedHttpResponse {
  readonly status: { readonly code: number };
  readonly headers: readonly HeaderValueOption[];
  readonly body: string;
}

interface OkHttpResponse {
  /** Set on the request to the upstream. */
  readonly headers: readonly HeaderValueOption[];
  readonly headers_to_remove: readonly string[];
  /** Set on the response to the client. */
  readonly response_headers_to_add: readonly HeaderValueOption[];
}

/** A header field to set, and what becomes of one with the same name. */
export interface HeaderValueOption {
  readonly header: { readonly key: string; readonly value: string };
  readonly append_action: number;
}

const CHECK_REQUEST = MESSAGES.lookupType('CheckRequest');
const CHECK_RESPONSE = MESSAGES.lookupType('CheckResponse');
const HEALTH_CHECK_REQUEST = MESSAGES.lookupType('HealthCheckRequest');
const HEALTH_CHECK_RESPONSE = MESSAGES.lookupType('HealthCheckResponse');

/** @throws Error if the bytes are no such message */
export function decodeCheckRequest(bytes: Uint8Array): CheckRequest {
  return CHECK_REQUEST.toObject(CHECK_REQUEST.decode(bytes));
}

export function encodeCheckResponse(response: CheckResponse): Buffer {
  return Buffer.from(CHECK_RESPONSE.encode(response).finish());
}

/** The request for the health of a service; without a name, of the server. */
export interface HealthCheckRequest {
  readonly service?: string;
}

/** @throws Error if the bytes are no such message */
export function decodeHealthCheckRequest(bytes: Uint8Array): HealthCheckRequest {
  return HEALTH_CHECK_REQUEST.toObject(HEALTH_CHECK_REQUEST.decode(bytes));
}

/** @param status a `ServingStatus` */
export function encodeHealthCheckResponse(status: number): Buffer {
  return Buffer.from(HEALTH_CHECK_RESPONSE.encode({ status }).finish());
}
