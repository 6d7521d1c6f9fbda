/**
 * What a statement may hold that looks like its end and is none: comments, quoted names and texts, bodies of functions.
 */
const PIECE =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|[^-/'"$;]+|[\s\S]/g;

/** The statements of an SQL script, without comments and with single spaces; bodies of functions are left out. */
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
