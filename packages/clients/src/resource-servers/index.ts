export {
  findResourceServer,
  type NamedResourceServer,
  type ResourceServerDeps,
} from './find-resource-server.js';
export {
  type AudienceNames,
  audienceNames,
  mayIntrospect,
  resourceIdentifierRefusal,
  resourceName,
} from './resource-identifiers.js';
export { declaredScope } from './resource-scopes.js';
