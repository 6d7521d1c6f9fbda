import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '@vestibule/protocol/json';
import type { AllowAtOnce, DecideRequest } from './decision.js';
import type { FindMetadata } from './resource-metadata.js';

/** Dependencies of the forward authentication endpoints. */
export interface ForwardAuthDeps {
  readonly decide: DecideRequest;
  readonly allowAtOnce: AllowAtOnce;
  /** The certificate, in DER, that the client of the gateway proved to hold, from a header that a gateway set. */
  readonly clientCertificate: (request: IncomingMessage) => Uint8Array | undefined;
  readonly findMetadata: FindMetadata;
  /** Keys that verify signed tokens for upstreams; `undefined` if there are none. */
  readonly jwks: { readonly keys: readonly JsonObject[] } | undefined;
  /** Called for a request that does not come from a gateway with the configuration of our pages. */
  readonly onMisconfiguredGateway: (problem: string) => void;
  /** Whether requests that can be allowed at once are served without Fastify. Default: no. */
  readonly hasFastPath?: boolean;
  /** Whether the API document has a page. Default: no. */
  readonly hasApiPage?: boolean;
}
