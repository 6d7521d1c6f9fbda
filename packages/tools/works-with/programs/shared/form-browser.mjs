const MOST_REDIRECTS = 12;

/**
 * A browser of one person without scripts, for pages that are not those of the stack: it follows redirects, keeps
 * cookies by name, and sends forms. It stops at an address that begins with `until`, where nothing has to listen.
 */
export function openFormBrowser(until) {
  const cookies = new Map();

  const request = async (url, init) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, accept: 'text/html', ...(init.method === 'POST' && { origin: url.origin }) };
    const response = await fetch(url, { ...init, redirect: 'manual', headers });
    for (const text of response.headers.getSetCookie()) {
      const [, name, value, attributes] = /^([^=]+)=([^;]*)(.*)/.exec(text);
      if (value === '' || /max-age=0\b/i.test(attributes)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };

  const follow = async (start, init = {}) => {
    let url = start;
    let response = await request(url, init);
    for (let count = 0; count < MOST_REDIRECTS; count += 1) {
      const location = response.headers.get('location');
      if (location === null) return { url, status: response.status, text: await response.text() };
      url = new URL(location, url);
      if (url.href.startsWith(until)) return { url, status: response.status, text: '' };
      response = await request(url, {});
    }
    throw new Error(`too many redirects, the last one to ${url}`);
  };

  return {
    open: (url) => follow(new URL(url)),
    /** Sends the first form of a page with its hidden fields and these. */
    submit: ({ url, text }, fields) => {
      const action = /<form[^>]* action="([^"]*)"/.exec(text)?.[1];
      if (action === undefined) throw new Error(`there is no form at ${url}: ${text.slice(0, 300)}`);
      const inputs = [...text.matchAll(/<input[^>]*>/g)].map(([tag]) => attributesOf(tag));
      const hidden = inputs.filter(({ type }) => type === 'hidden').map(({ name, value }) => [name, value]);
      const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
      return follow(new URL(unescaped(action), url), { method: 'POST', body });
    },
    cookies: () => [...cookies.keys()],
    forget: () => cookies.clear(),
  };
}

function attributesOf(tag) {
  const found = [...tag.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, name, value]) => [name, unescaped(value)]);
  return { value: '', ...Object.fromEntries(found) };
}

function unescaped(text) {
  return text
    .replaceAll('&amp;', '&')
    .replaceAll('&#x2F;', '/')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"');
}
