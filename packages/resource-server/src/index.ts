export { createResourceServer, type ResourceServer } from './create-resource-server.js';
export { type DpopNonces, type RotatingNoncesOptions, rotatingDpopNonces } from './dpop/dpop-nonces.js';
export {
  type MemoryProofReplaysOptions,
  memoryProofReplays,
  type ProofReplays,
} from './dpop/proof-replays.js';
export type { TlsSettings } from './http/http-client.js';
export type { ClientCredentials } from './introspection/client-credentials.js';
export type { IntrospectionFailureReason } from './introspection/introspection-failure.js';
export type { ProtectedResourceMetadata } from './metadata/protected-resource-metadata.js';
export type { ExplainedCheck, ExplainToken, Explanation } from './observability/explain.js';
export type { Metric, MetricSample, ResourceServerMetrics } from './observability/metrics.js';
export type {
  CacheOptions,
  ChangesOptions,
  ConnectionOptions,
  DpopOptions,
  Problem,
  ProtectedResource,
  ResourceServerOptions,
  SignedResponseOptions,
} from './options.js';
export type { TokenScheme } from './request/presented-token.js';
export type { ResourceRequest } from './request/resource-request.js';
export type { ResourceVerifier } from './resource-verifier.js';
export type { AccessToken } from './verification/access-token.js';
export type {
  AcceptedRequest,
  RefusalReason,
  RefusedRequest,
  Verification,
} from './verification/verification.js';
export type { RequestRequirements, VerifyCached, VerifyRequest } from './verify-request.js';
