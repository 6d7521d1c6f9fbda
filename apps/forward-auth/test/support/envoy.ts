import {
  type ChannelCredentials,
  Client,
  type ClientUnaryCall,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { onTestFinished } from 'vitest';
import { publishedMethod } from './published-definition.js';

const CHECK = publishedMethod('envoy.service.auth.v3.Authorization');
const HEALTH_CHECK = publishedMethod('grpc.health.v1.Health');

/** A header field with what becomes of one with the same name. */
interface HeaderOption {
  readonly header: { readonly key: string; readonly value: string };
  readonly append_action: string;
}

/** A response as the published definition reads it. */
export interface PublishedCheckResponse {
  readonly status: { readonly code: number };
  readonly denied_response?: {
    readonly status: { readonly code: string };
    readonly headers: readonly HeaderOption[];
    readonly body: string;
  };
  readonly ok_response?: {
    readonly headers: readonly HeaderOption[];
    readonly headers_to_remove: readonly string[];
    readonly response_headers_to_add: readonly HeaderOption[];
  };
}

/** A request of a client, as Envoy describes it. */
export interface DescribedRequest {
  readonly method?: string;
  readonly host?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of `headers`, as with `encode_raw_headers`. */
  readonly rawHeaders?: readonly (readonly [string, string])[];
  /** The certificate of the client in PEM. */
  readonly certificate?: string;
}

/** The message in which Envoy describes a request. */
export function checkRequest({ headers, rawHeaders, certificate, ...request }: DescribedRequest): object {
  const listed = rawHeaders?.map(([key, value]) => ({ key, raw_value: Buffer.from(value, 'latin1') }));
  return {
    attributes: {
      source: {
        address: { socket_address: { address: '192.0.2.1', port_value: 40_000 } },
        principal: 'CN=client',
        ...(certificate !== undefined && { certificate: encodeURIComponent(certificate) }),
      },
      request: {
        time: { seconds: 1_700_000_000, nanos: 5 },
        http: {
          id: '4711',
          method: 'GET',
          host: 'orders.example',
          path: '/orders/7',
          scheme: 'https',
          protocol: 'HTTP/2',
          size: -1,
          ...(listed === undefined ? { headers } : { header_map: { headers: listed } }),
          ...request,
        },
      },
      context_extensions: { route: 'orders' },
      tls_session: { sni: 'orders.example' },
    },
  };
}

/** Encodes a message by the published definition. */
export const encodedCheckRequest = (request: object): Buffer => CHECK.requestSerialize(request);

/** A client with the published definition in place of Envoy. */
export function anEnvoy(port: number, security: ChannelCredentials = credentials.createInsecure()) {
  const client = new Client(`127.0.0.1:${port}`, security);
  onTestFinished(() => client.close());
  const checkBytes = (bytes: Buffer, deadline: number | undefined = undefined) =>
    settled<PublishedCheckResponse>((callback) =>
      client.makeUnaryRequest(
        CHECK.path,
        (message: Buffer) => message,
        CHECK.responseDeserialize as (bytes: Buffer) => PublishedCheckResponse,
        bytes,
        new Metadata(),
        deadline === undefined ? {} : { deadline },
        callback,
      ),
    );
  return {
    /** Sends any bytes as a check. */
    checkBytes,
    /** Asks whether the request of a client may pass. */
    check: (request: DescribedRequest) => checkBytes(encodedCheckRequest(checkRequest(request))),
    /** Asks for the health of a service. */
    health: async (service: string) => {
      const { status } = await settled<{ readonly status: string }>((callback) =>
        client.makeUnaryRequest(
          HEALTH_CHECK.path,
          HEALTH_CHECK.requestSerialize,
          HEALTH_CHECK.responseDeserialize as (bytes: Buffer) => { readonly status: string },
          { service },
          callback,
        ),
      );
      return status;
    },
  };
}

function settled<Response>(
  send: (callback: (error: ServiceError | null, response?: Response) => void) => ClientUnaryCall,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    send((error, response) => {
      if (error !== null) reject(error);
      else if (response === undefined) reject(new TypeError('no response'));
      else resolve(response);
    });
  });
}

/** The set header fields by name. */
export function fieldsOf(options: readonly HeaderOption[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(options.map(({ header: { key, value } }) => [key, value]));
}
