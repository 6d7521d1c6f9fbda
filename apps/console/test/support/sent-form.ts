import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/**
 * Returns what a browser sends of the form with an action, without the name of its button.
 * @throws TypeError if the page has no such form
 */
export function sentForm(page: string, action: string): Readonly<Record<string, string>> {
  const form = elementsOf(parse(page).childNodes).find(
    (element) => element.tagName === 'form' && attribute(element, 'action') === action,
  );
  if (form === undefined) throw new TypeError(`the page has no form for ${action}`);
  const fields = elementsOf(form.childNodes).flatMap((element): [string, string][] => {
    const name = attribute(element, 'name');
    const value = sentValue(element);
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(fields);
}

/** Returns the text that a person reads on a page, with single spaces. */
export function readText(page: string): string {
  return textOf(parse(page).childNodes).replace(/\s+/g, ' ');
}

function sentValue(element: Element): string | undefined {
  switch (element.tagName) {
    case 'textarea':
      return textOf(element.childNodes);
    case 'select': {
      const options = elementsOf(element.childNodes);
      const chosen = options.find((option) => attribute(option, 'selected') !== undefined) ?? options[0];
      return chosen && attribute(chosen, 'value');
    }
    case 'input': {
      const isBox = attribute(element, 'type') === 'checkbox';
      return isBox && attribute(element, 'checked') === undefined ? undefined : attribute(element, 'value');
    }
    default:
      return undefined;
  }
}

function elementsOf(nodes: readonly Node[]): Element[] {
  return nodes.flatMap((node) => ('tagName' in node ? [node, ...elementsOf(node.childNodes)] : []));
}

function attribute({ attrs }: Element, name: string): string | undefined {
  return attrs.find((one) => one.name === name)?.value;
}

function textOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if ('value' in node) return node.value;
      return 'childNodes' in node ? textOf(node.childNodes) : '';
    })
    .join('');
}
