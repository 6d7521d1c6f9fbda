import { installDebianPackage, runCommand } from '@vestibule/local-services';
import { DeploymentError } from '../deployment-error.js';

const MISSING = 'No nginx is on PATH: install it (Debian and Ubuntu: apt-get install nginx-light).';

/**
 * The path of nginx, installing Debian's package where there is none, this process is root and apt is there.
 * @throws LocalServiceError when it cannot be installed
 */
export async function nginxProgram(say: (sentence: string) => void): Promise<string> {
  const found = await findNginx();
  if (found !== undefined) return found;
  await installDebianPackage({ name: 'nginx-light', missing: MISSING, log: say });
  const installed = await findNginx();
  if (installed === undefined) throw new DeploymentError(MISSING);
  return installed;
}

async function findNginx(): Promise<string | undefined> {
  const search = 'PATH=$PATH:/usr/sbin; command -v nginx';
  const { exitCode, output } = await runCommand('/bin/sh', ['-c', search]);
  return exitCode === 0 ? output.trim() : undefined;
}
