/** A metric that an expression asks for. */
export interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

const SELECTOR = /\b([a-z_][a-z0-9_]*)\s*(?:\{([^}]*)\}|(?=\[|\s|\)|$))/g;
const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const WORDS = new Set(
  'and or unless by without on ignoring group_left group_right bool offset sum max min avg count'.split(' '),
);

/** The metrics of an expression in PromQL, with the labels by which they are chosen or grouped. Simple ones alone. */
export function selectorsOf(expression: string): readonly Selector[] {
  const grouped = [...expression.matchAll(GROUPING)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  const rest = expression.replaceAll(GROUPING, '').replaceAll(/\[[^\]]*\]/g, '[]');
  return [...rest.matchAll(SELECTOR)].flatMap(([, metric = '', matchers = '']) => {
    if (WORDS.has(metric) || !metric.includes('_') || FUNCTIONS.has(metric)) return [];
    const chosen = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
    return [{ metric, labels: [...new Set([...chosen, ...grouped])].filter((label) => label !== '') }];
  });
}

const FUNCTIONS = new Set(['histogram_quantile', 'label_replace', 'avg_over_time', 'max_over_time']);
