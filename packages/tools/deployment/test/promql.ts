/** A metric in an expression. */
export interface Selector {
  readonly metric: string;
  /** The labels by which the expression selects, groups or matches. */
  readonly labels: readonly string[];
}

const TOKEN =
  /"(?:[^"\\]|\\.)*"|\{(?:"(?:[^"\\]|\\.)*"|[^}"])*\}|\[[^\]]*\]|\b\d[\w.]*|\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)|[a-zA-Z_:][\w:]*(\s*\()?/g;
const STRING = /"(?:[^"\\]|\\.)*"/g;
const GROUPING = /^(?:by|without|on|ignoring|group_left|group_right)\s*\(/;
const AGGREGATION = /^(?:sum|min|max|avg|count|topk|bottomk)$/;
const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset']);

/** The metrics in a PromQL expression. Its syntax is checked by Prometheus. */
export function selectorsOf(expression: string): readonly Selector[] {
  const tokens = [...expression.matchAll(TOKEN)].map(([token]) => token);
  const grouped = tokens.filter((token) => GROUPING.test(token)).flatMap(namesIn);
  return tokens.flatMap((token, index) => {
    if (!isMetric(token)) return [];
    const matchers = tokens[index + 1];
    const chosen = matchers?.startsWith('{')
      ? [...matchers.replaceAll(STRING, '').matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(
          ([, label = '']) => label,
        )
      : [];
    return [{ metric: token, labels: [...new Set([...chosen, ...grouped])] }];
  });
}

/** A name that is not a function, keyword or aggregation, whose braces may follow its grouping. */
function isMetric(token: string): boolean {
  return /^[a-zA-Z_:][\w:]*$/.test(token) && !WORDS.has(token) && !AGGREGATION.test(token);
}

function namesIn(grouping: string): string[] {
  const [, names = ''] = /\(([^)]*)\)/.exec(grouping) ?? [];
  return names.split(',').map((name) => name.trim());
}
