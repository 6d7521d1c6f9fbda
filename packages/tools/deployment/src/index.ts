export { DeploymentError } from './deployment-error.js';
export {
  type ComposeStack,
  type ComposeStackOptions,
  managementUrl,
  startComposeStack,
} from './stack/compose-stack.js';
export type { Instance } from './stack/instance.js';
