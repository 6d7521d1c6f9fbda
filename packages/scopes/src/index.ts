export {
  ALL_SCOPES,
  type GrantedScopes,
  type LimitedGrantedScopes,
  NO_SCOPES,
  OPEN_SCOPES,
  permitsGrantType,
  permitsScopeValue,
  subtractGrantedScopes,
  type UnlimitedGrantedScopes,
  uniteGrantedScopes,
} from './granted-scopes.js';
export {
  formatGrantedScopes,
  isRegistrationScope,
  parseGrantedScopes,
  parseRegistrationScope,
} from './registration-scope.js';
export { EMPTY_SCOPE, formatScope, parseScope, permitsIntrospection, type Scope } from './scope.js';
