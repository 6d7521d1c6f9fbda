/** What docker/ says cannot be read or run. The message is one sentence for the person at the machine. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError';
}
