/**
 * Private-use schemes without a dot of applications that register themselves, in alphabetical order, for
 * `privateUseSchemes` of `MetadataSettings`: Cursor, Raycast, extensions of VS Code and of its Insiders edition, Warp
 * and Windsurf. Evidence: packages/guides/works-with-mcp.md in the repository.
 */
export const KNOWN_PRIVATE_USE_SCHEMES: readonly string[] = [
  'cursor',
  'raycast',
  'vscode',
  'vscode-insiders',
  'warp',
  'windsurf',
];
