export { whyAssertionMalformed } from './client-assertion.js';
export type { ClientAssertionDeps } from './client-assertion-deps.js';
export { type AssertionAudience, endpointAudiences } from './endpoint-audiences.js';
export { layeredReplayStore, type ReplayOutcome, type ReplayStore } from './replay-store.js';
export {
  type AssertionUseDeps,
  type NamedAssertion,
  type SignedAssertion,
  whyAssertionUnfit,
  whySignedAssertionRefused,
} from './why-assertion-refused.js';
