const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The content of a demo application's page. */
export interface DemoPage {
  readonly title: string;
  /** Labels and their values. */
  readonly facts?: Readonly<Record<string, string>>;
  /** Possible actions: addresses and labels. */
  readonly actions: Readonly<Record<string, string>>;
}

const STYLE = `:root{color-scheme:light dark}body{margin:0 auto;max-width:40rem;padding:2rem 1rem;
font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}dt{font-weight:600}dd{margin:0 0 .75rem}
button{padding:.625rem 1rem;margin:0 .5rem .5rem 0;font:inherit;cursor:pointer}form{display:inline}
:focus-visible{outline:3px solid Highlight;outline-offset:2px}`;

/** Renders plain HTML. Each action is a form, so that it works with the keyboard. */
export function demoPage({ title, facts = {}, actions }: DemoPage): string {
  const list = Object.entries(facts).map(
    ([label, value]) => `<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`,
  );
  const forms = Object.entries(actions).map(
    ([address, label]) => `<form action="${escaped(address)}"><button>${escaped(label)}</button></form>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main><h1>${escaped(title)}</h1>${list.length > 0 ? `<dl>${list.join('')}</dl>` : ''}
<p>${forms.join('\n')}</p></main></body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
