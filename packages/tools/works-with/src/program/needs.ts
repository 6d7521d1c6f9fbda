import { installDebianPackage, LocalServiceError, runCommand } from '@vestibule/local-services';

const DEBIAN = 'debian:';

/** The needs of a program that this machine lacks. Installs packages of Debian where possible. */
export async function lacking(
  needs: readonly string[],
  env: NodeJS.ProcessEnv,
  log: (sentence: string) => void,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const need of needs) {
    const isMet = need.startsWith(DEBIAN)
      ? await hasPackage(need.slice(DEBIAN.length), log)
      : (await runCommand('/bin/sh', ['-c', `command -v ${need}`], { env })).exitCode === 0;
    if (!isMet) missing.push(need);
  }
  return missing;
}

async function hasPackage(name: string, log: (sentence: string) => void): Promise<boolean> {
  const { exitCode, output } = await runCommand('dpkg', ['--status', name]);
  if (exitCode === 0 && /^Status: .* installed$/m.test(output)) return true;
  try {
    await installDebianPackage({ name, missing: `The package ${name} is not installed.`, log });
    return true;
  } catch (error) {
    if (!(error instanceof LocalServiceError)) throw error;
    log(error.message);
    return false;
  }
}
