export { ALL_RIGHTS, NO_RIGHTS, OPEN_RIGHTS, type RegistrationRights } from './registration-rights.js';
export { EMPTY_SCOPE, formatScope, parseScope, type Scope } from './scope.js';
