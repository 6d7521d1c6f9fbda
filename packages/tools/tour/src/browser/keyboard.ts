import type { Page } from 'playwright-core';
import { ensure } from '../tour-error.js';

/** What has the focus. */
interface Focused {
  readonly name: string;
  readonly isVisible: boolean;
}

/**
 * Goes through a page with the Tab key, starting from what has the focus now.
 * @param names what has to have the focus one after the other, as `name` or `value` of the elements
 * @throws TourError when the order is another one or the focus cannot be seen
 */
export async function tabThrough(page: Page, names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    if (index > 0) await page.keyboard.press('Tab');
    const focused = await focusedElement(page);
    ensure(focused.name === name, `The Tab key leads to "${focused.name}" in place of "${name}".`);
    ensure(focused.isVisible, `It cannot be seen that "${name}" has the focus.`);
  }
}

function focusedElement(page: Page): Promise<Focused> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const name = element.getAttribute('value') ?? element.getAttribute('name') ?? '';
    const isButton = element instanceof HTMLButtonElement;
    return {
      name: isButton ? name : (element.getAttribute('name') ?? element.tagName),
      isVisible: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
    };
  });
}
