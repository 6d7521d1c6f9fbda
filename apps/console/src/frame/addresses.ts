/** Values of query parameters by name; absent and empty ones are left out. */
export type AddressParameters = Readonly<Record<string, string | undefined>>;

/** Builds the address of a page of the console. */
export function addressWith(path: string, parameters: AddressParameters): string {
  const query = new URLSearchParams(givenParameters(parameters)).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Returns the parameters that have a value. */
export function givenParameters(parameters: AddressParameters): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') given[name] = value;
  return given;
}

/** The path of a page or an action of a client. */
export function clientPath(id: string, name?: string): string {
  return `/clients/${encodeURIComponent(id)}${name === undefined ? '' : `/${name}`}`;
}
