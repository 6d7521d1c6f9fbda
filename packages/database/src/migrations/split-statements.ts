/**
 * Parts of a statement that may contain a semicolon: comments, quoted names and texts, bodies of functions.
 */
const PIECE =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|[^-/'"$;]+|[\s\S]/g;

/** Splits an SQL script into statements, without comments and bodies of functions, and with single spaces. */
export function splitStatements(script: string): readonly string[] {
  const statements: string[] = [''];
  for (const [piece, body] of script.matchAll(PIECE)) {
    if (piece === ';') statements.push('');
    else if (!piece.startsWith('--') && !piece.startsWith('/*'))
      statements.push(`${statements.pop() ?? ''}${body === undefined ? piece : ' $$ '}`);
    else statements.push(`${statements.pop() ?? ''} `);
  }
  return statements
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}
