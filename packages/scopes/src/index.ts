export {
  ALL_RIGHTS,
  type LimitedRegistrationRights,
  NO_RIGHTS,
  OPEN_RIGHTS,
  permitsGrantType,
  permitsScopeValue,
  type RegistrationRights,
  subtractRegistrationRights,
  type UnlimitedRegistrationRights,
  uniteRegistrationRights,
} from './registration-rights.js';
export {
  formatRegistrationRights,
  isRegistrationScope,
  parseRegistrationRights,
  parseRegistrationScope,
} from './registration-scope.js';
export { EMPTY_SCOPE, formatScope, parseScope, permitsIntrospection, type Scope } from './scope.js';
