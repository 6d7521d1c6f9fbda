/** Returns the text of a form field by a computed name; `undefined` if it was not sent, or was empty. */
export function sentText(form: object, name: string): string | undefined {
  const value: unknown = Reflect.get(form, name);
  return typeof value === 'string' ? value : undefined;
}
