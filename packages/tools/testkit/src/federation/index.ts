export type { ResponseFault } from './entity-responses.js';
export type { EntityBehavior, EntityDocument, FederationEntity } from './federation-entity.js';
export {
  createEntityKey,
  type EntityKey,
  type MemberChanges,
  type StatementChanges,
} from './sign-statement.js';
export { openSmallFederation, type RelyingPartyOptions, type SmallFederation } from './small-federation.js';
