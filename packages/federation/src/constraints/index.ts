export { allowedMetadata, requireWithinConstraints } from './check-constraints.js';
export { type Constraints, EMPTY_CONSTRAINTS, parseConstraints } from './constraints.js';
export { isNamePermitted, type NamingConstraints, parseNamingConstraints } from './naming-constraints.js';
