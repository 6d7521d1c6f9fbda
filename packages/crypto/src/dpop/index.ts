export { type DpopProof, type PresentedDpopProof, verifyDpopProof } from './verify-dpop-proof.js';
