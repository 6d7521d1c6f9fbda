import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import type { TestResponse } from './build-test-console.js';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** The texts and fields of a page, as a browser parses it. */
export interface ShownPage {
  /** Everything that is shown, with one space for each white space. */
  readonly text: string;
  /** Texts of the alerts. */
  readonly alerts: readonly string[];
  /** Addresses of the links, by their texts. */
  readonly links: Readonly<Record<string, string>>;
  /** The forms, with their fields by name. */
  readonly forms: readonly ShownForm[];
  /** Names of the elements, for hostile texts that may have added one. */
  readonly elements: ReadonlySet<string>;
}

/** A form with its fields. */
export interface ShownForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly buttons: readonly string[];
}

/** Parses a page. */
export function shownPage({ text }: Pick<TestResponse, 'text'>): ShownPage {
  // Where a word may be broken, no space is shown.
  const all = [...descendants(parse(text.replaceAll('<wbr>', '')))];
  const elements = all.filter((node) => defaultTreeAdapter.isElementNode(node));
  return {
    text: textOf(elements.find(({ tagName }) => tagName === 'main')),
    alerts: elements.filter((element) => attribute(element, 'role') === 'alert').map(textOf),
    links: Object.fromEntries(
      elements
        .filter(({ tagName }) => tagName === 'a')
        .map((element) => [textOf(element), attribute(element, 'href')]),
    ),
    forms: elements.filter(({ tagName }) => tagName === 'form').map(shownForm),
    elements: new Set(elements.map(({ tagName }) => tagName)),
  };
}

/** Finds the form of an action. */
export function formOf(response: Pick<TestResponse, 'text'>, action: string): ShownForm | undefined {
  return shownPage(response).forms.find((form) => form.action === action);
}

/**
 * Returns what a browser sends of the form with an action, without the name of its button.
 * @throws TypeError if the page has no such form
 */
export function sentForm(text: string, action: string): Readonly<Record<string, string>> {
  const form = formOf({ text }, action);
  if (form === undefined) throw new TypeError(`the page has no form for ${action}`);
  return form.fields;
}

/** Returns the text of a page as it stands in its elements, with single spaces. */
export function readText(text: string): string {
  return textsOf(parse(text)).join('').replace(/\s+/g, ' ');
}

function shownForm(form: Element): ShownForm {
  const elements = [...descendants(form)].filter((node) => defaultTreeAdapter.isElementNode(node));
  const fields = elements.filter((element) => isSent(element));
  return {
    action: attribute(form, 'action'),
    fields: Object.fromEntries(fields.map((field) => [attribute(field, 'name'), fieldValue(field)])),
    buttons: elements.filter(({ tagName }) => tagName === 'button').map(textOf),
  };
}

/** Whether a browser sends a field: a box only if it is checked. */
function isSent({ tagName, attrs }: Element): boolean {
  const has = (name: string, value?: string) =>
    attrs.some((one) => one.name === name && (value === undefined || one.value === value));
  if (tagName === 'input') return has('name') && (!has('type', 'checkbox') || has('checked'));
  return tagName === 'textarea' || tagName === 'select';
}

function fieldValue(field: Element): string {
  if (field.tagName === 'textarea') return textsOf(field).join('');
  if (field.tagName === 'input') return attribute(field, 'value');
  const options = field.childNodes.filter((node) => defaultTreeAdapter.isElementNode(node));
  const chosen = options.find((option) => option.attrs.some(({ name }) => name === 'selected'));
  return attribute(chosen ?? options[0], 'value');
}

function attribute(element: Element | undefined, wanted: string): string {
  return element?.attrs.find(({ name }) => name === wanted)?.value ?? '';
}

function textOf(node: Node | undefined): string {
  if (node === undefined) return '';
  return textsOf(node).join(' ').replace(/\s+/g, ' ').trim();
}

function textsOf(node: Node): readonly string[] {
  return [...descendants(node)]
    .filter((each) => defaultTreeAdapter.isTextNode(each))
    .map(({ value }) => value);
}

function* descendants(node: Node): Generator<Node> {
  yield node;
  if ('childNodes' in node) for (const child of node.childNodes) yield* descendants(child);
}
