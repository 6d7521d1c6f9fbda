/** The text of a manifest with the place of its sources: the address of the repository, and the folder in it. */
export function namedRepository(manifest: string, address: string, directory: string): string {
  const repository = { type: 'git', url: `git+${address}.git`, directory };
  return `${JSON.stringify({ ...JSON.parse(manifest), repository }, null, 2)}\n`;
}
