import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

/** Attributes whose values are plain text to a browser. */
const TEXTUAL = new Set(['value', 'alt', 'title', 'lang', 'dir']);

/**
 * The structure of a page as a browser parses it, without its text: elements in their places, and attributes with
 * effect.
 */
export function shapeOf(page: string): string {
  return shape(parse(page));
}

/** Every attribute of a page, by element. */
export function attributesOf(page: string): readonly (readonly [string, string, string])[] {
  const all: [string, string, string][] = [];
  const walk = (node: Node) => {
    if ('attrs' in node) for (const { name, value } of node.attrs) all.push([node.tagName, name, value]);
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parse(page));
  return all;
}

function shape(node: Node): string {
  if (node.nodeName === '#text') return '';
  const attributes =
    'attrs' in node
      ? node.attrs.map(({ name, value }) => (TEXTUAL.has(name) ? name : `${name}=${value}`)).join(' ')
      : '';
  const children = 'childNodes' in node ? node.childNodes.map(shape).join('') : '';
  return `<${node.nodeName} ${attributes}>${children}</>`;
}
