import type { Page, Request, Response } from 'playwright-core';
import { expect } from 'vitest';

/** Opens pages and sends forms as a person does, and looks at each page that comes. */
export interface Visits {
  readonly page: Page;
  /**
   * Opens a page.
   * @param shown a text that must be on it, which distinguishes it from others of its address
   */
  open(path: string, shown?: string): Promise<void>;
  /** Does what leads to a page, and looks at that. */
  arrive(act: () => Promise<unknown>, shown?: string): Promise<void>;
  /** Presses a button of the page, or follows a link, by its name; the first one if there are several. */
  press(name: string, shown?: string): Promise<void>;
  /** Types into fields by their names, and chooses. */
  fill(fields: Readonly<Record<string, string>>): Promise<void>;
  /** Types something else than the page asks for to confirm an action, and then that. */
  confirm(button: string): Promise<void>;
  /** Sends a form that no page offers, with the form token of the page. */
  send(path: string, fields: Readonly<Record<string, string>>, shown?: string): Promise<void>;
}

/** What visits need to know. */
export interface VisitsContext {
  readonly page: Page;
  readonly origin: string;
  /** Paths of the console, with their parameters. */
  readonly paths: readonly string[];
  /** Called for each page that comes, with its kind. */
  readonly look: (kind: string) => Promise<void>;
}

/** Begins visits. */
export function visits({ page, origin, paths, look }: VisitsContext): Visits {
  const pathOf = pathReader(paths);
  const arrive: Visits['arrive'] = async (act, shown) => {
    const [response] = await Promise.all([
      page.waitForResponse((each) => each.request().isNavigationRequest() && !isRedirect(each)),
      page.waitForEvent('load'),
      act(),
    ]);
    const [last, first] = [response.request(), firstOf(response.request(), origin)];
    const nameOf = (request: Request) => `${request.method()} ${pathOf(request.url())}`;
    const before = first === last ? '' : `${nameOf(first)}, then `;
    const kind = `${before}${nameOf(last)} ${response.status()}`;
    if (shown !== undefined) expect.soft(await page.textContent('main'), kind).toContain(shown);
    await look(shown === undefined ? kind : `${kind} ${shown}`);
  };
  const inMain = (role: 'button' | 'link', name: string) =>
    page.locator('main').getByRole(role, { name, exact: true });
  const press: Visits['press'] = (name, shown) =>
    arrive(() => inMain('button', name).or(inMain('link', name)).first().click(), shown);
  const fill: Visits['fill'] = async (fields) => {
    for (const [name, value] of Object.entries(fields)) {
      const field = page.locator(`main [name="${name}"]:not([type=hidden])`).first();
      if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT') await field.selectOption(value);
      else await field.fill(value);
    }
  };
  return {
    page,
    arrive,
    open: (path, shown) => arrive(() => page.goto(origin + path), shown),
    press,
    fill,
    confirm: async (button) => {
      const label = (await page.textContent('label[for=confirmation]')) ?? '';
      await fill({ confirmation: 'something else' });
      await press(button);
      await fill({ confirmation: label.replace(/^To confirm, type /, '') });
      await press(button);
    },
    send: (path, fields, shown) => arrive(() => page.evaluate(sendForm, { path, fields }), shown),
  };
}

function isRedirect(response: Response): boolean {
  return response.status() >= 300 && response.status() < 400;
}

/** The first request to an origin, of which others may be redirects. */
function firstOf(request: Request, origin: string): Request {
  const before = request.redirectedFrom();
  return before?.url().startsWith(origin) ? firstOf(before, origin) : request;
}

/** Returns the path of an address with its parameters unfilled, as `/clients/:id`; `no route` if there is none. */
export function pathReader(paths: readonly string[]): (address: string) => string {
  const patterns = [...new Set(paths)]
    .map((path) => ({ path, parameters: path.split(':').length }))
    .sort((one, other) => one.parameters - other.parameters)
    .map(({ path }) => ({ path, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`) }));
  return (address) => {
    const { pathname } = new URL(address);
    return patterns.find(({ pattern }) => pattern.test(pathname))?.path ?? 'no route';
  };
}

/** Runs in the page. */
function sendForm({
  path,
  fields,
}: {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}): void {
  const token = document.querySelector<HTMLInputElement>('[name=form_token]')?.value ?? '';
  const form = document.createElement('form');
  form.method = 'post';
  form.action = path;
  for (const [name, value] of Object.entries({ form_token: token, ...fields })) {
    const field = document.createElement('textarea');
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}
