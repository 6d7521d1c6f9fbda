/** An image cannot be built, breaks a rule or does not start. The message is for the developer at the terminal. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError';
}
