export { type DeclaredPolicies, parseDeclaredPolicies } from './declared-policies.js';
export { declaredPolicy } from './declared-policy.js';
export type { PolicyRequest, RegistrationPolicy } from './registration-policy.js';
