import type { Page } from 'playwright-core';
import { ensure } from '../tour-error.js';

/** The focused element. */
interface Focused {
  readonly name: string;
  readonly isVisible: boolean;
}

/**
 * Moves through a page with the Tab key, starting at the focused element.
 * @param names the expected order of focus, as `name` or `value` of the elements
 * @throws TourError when the order differs or the focus is not visible
 */
export async function tabThrough(page: Page, names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    if (index > 0) await page.keyboard.press('Tab');
    const focused = await focusedElement(page);
    ensure(focused.name === name, `The Tab key moves the focus to "${focused.name}", not to "${name}".`);
    ensure(focused.isVisible, `The focus on "${name}" is not visible.`);
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
