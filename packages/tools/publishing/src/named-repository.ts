/** Adds the address of the repository, and the folder in it, to the text of a manifest. */
export function namedRepository(manifest: string, address: string, directory: string): string {
  const repository = { type: 'git', url: `git+${address}.git`, directory };
  return `${JSON.stringify({ ...JSON.parse(manifest), repository }, null, 2)}\n`;
}
