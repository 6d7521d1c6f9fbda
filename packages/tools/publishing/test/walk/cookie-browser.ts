/** A page that a browser has arrived at. */
export interface BrowserPage {
  readonly url: URL;
  readonly text: string;
}

/** A browser of one person: it follows redirects and pages that go on at once, and keeps cookies, without scripts. */
export interface CookieBrowser {
  open(url: string | URL): Promise<BrowserPage>;
  /** Sends the form of a page with its hidden fields and these. */
  submit(page: BrowserPage, fields: Readonly<Record<string, string>>): Promise<BrowserPage>;
  cookies(): readonly string[];
  /** Deletes all cookies. */
  forget(): void;
}

const MAX_REDIRECTS = 12;

/** Opens a browser without cookies. Those of a host are kept by name. */
export function openCookieBrowser(): CookieBrowser {
  const hosts = new Map<string, Map<string, string>>();
  const cookiesOf = ({ hostname }: URL): Map<string, string> => {
    const cookies = hosts.get(hostname) ?? new Map<string, string>();
    hosts.set(hostname, cookies);
    return cookies;
  };
  const request = async (url: URL, init: RequestInit): Promise<Response> => {
    const cookies = cookiesOf(url);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { cookie, accept: 'text/html', ...(init.method === 'POST' && { origin: url.origin }) },
    });
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)/.exec(text) ?? [];
      if (value === '' || /max-age=0\b/i.test(attributes)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const follow = async (start: URL, init: RequestInit = {}): Promise<BrowserPage> => {
    let url = start;
    let response = await request(url, init);
    for (let count = 0; count < MAX_REDIRECTS; count++) {
      const text = await response.text();
      const [, refresh] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text) ?? [];
      const location = response.headers.get('location') ?? (refresh && unescaped(refresh));
      if (location === undefined) return { url, text };
      url = new URL(location, url);
      response = await request(url, {});
    }
    throw new Error(`too many redirects, the last one to ${url.href}`);
  };
  return {
    open: (url) => follow(new URL(url)),
    submit: ({ url, text }, fields) => {
      const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(text) ?? [];
      const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, unescaped(value)] as const,
      );
      const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
      return follow(new URL(unescaped(action), url), { method: 'POST', body });
    },
    cookies: () => [...hosts.values()].flatMap((cookies) => [...cookies.keys()]),
    forget: () => hosts.clear(),
  };
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** The value of an attribute without its character references. */
function unescaped(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (reference, decimal, hex, name) => {
    if (name !== undefined) return CHARACTERS[name] ?? reference;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}
