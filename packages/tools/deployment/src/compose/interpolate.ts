import { DeploymentError } from '../deployment-error.js';

/** The environment of whoever runs the compose file. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A place whose default has no place of its own. */
const INNERMOST = /(?<!\$)\$\{(\w+):-([^${}]*)\}/;

/**
 * Fills variables into the texts of a document: `${NAME:-default}`, where the default may have places of its own, and
 * `$$` for the sign itself. An empty variable counts as not set.
 * @throws DeploymentError on any other form
 */
export function interpolate(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return fill(value, variables);
  if (Array.isArray(value)) return value.map((each) => interpolate(each, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, interpolate(each, variables)]),
  );
}

function fill(text: string, variables: Variables): string {
  const place = INNERMOST.exec(text);
  if (place !== null) {
    const [whole, name = '', fallback = ''] = place;
    return fill(
      text.replace(whole, () => variables[name] || fallback),
      variables,
    );
  }
  if (text.replaceAll('$$', '').includes('$'))
    throw new DeploymentError(`${text} has a variable in another form.`);
  return text.replaceAll('$$', '$');
}
