export { isReplaceableBy } from './entity-registration.js';
export {
  type AcceptedAutomaticRegistration,
  acceptAutomaticMetadata,
  registerAutomaticClient,
  renewAutomaticClient,
} from './register-automatic-client.js';
export {
  acceptExplicitMetadata,
  acceptFederatedMetadata,
  type ExplicitRegistration,
  type FederatedRegistration,
  registerFederatedClient,
} from './register-federated-client.js';
