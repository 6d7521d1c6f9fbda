import { sha256 } from '@vestibule/crypto';
import { html, type Markup } from './html.js';

const STYLE = `
:root { color-scheme: light dark; --ground: #f4f5f7; --card: #fff; --text: #1b1f24; --faint: #57606a; --line: #d0d7de;
  --accent: #1f5fbf; --on-accent: #fff; --alert: #a40e26; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171c; --card: #1d2128; --text: #e8eaed; --faint: #a3adb8;
  --line: #3a424d; --accent: #8ab8ff; --on-accent: #10141a; --alert: #ff9aa5; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; align-items: center; justify-content: center; padding: 1.5rem 1rem;
  background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; padding: 1.75rem 1.5rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.25; }
p, ul { margin: 0 0 1rem; } ul { padding-left: 1.25rem; }
.demo { padding: .5rem .75rem; border: 1px dashed var(--faint); border-radius: .5rem; color: var(--faint);
  font-size: .875rem; }
.alert { color: var(--alert); font-weight: 600; } .code { font-family: ui-monospace, monospace; }
label { display: block; margin: 0 0 .25rem; font-weight: 600; }
input { width: 100%; margin: 0 0 1rem; padding: .625rem .75rem; font: inherit; color: inherit; background: transparent;
  border: 1px solid var(--faint); border-radius: .5rem; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; }
button { flex: 1 1 8rem; padding: .625rem 1rem; font: inherit; font-weight: 600; border-radius: .5rem; cursor: pointer;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
button.other { background: transparent; color: var(--accent); }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

const STYLE_HASH = Buffer.from(sha256(STYLE)).toString('base64');

/** The only markup that does not come from a template: our own style sheet, as the policy names it by its hash. */
const STYLE_ELEMENT = { text: `<style>${STYLE}</style>` } as Markup;

/**
 * What browsers may do with these pages: no script, no frame, nothing from elsewhere.
 * @param target where a form may lead besides here: browsers watch the redirects after it too
 */
export function contentSecurityPolicy(target?: string): string {
  const forms = ["'self'", ...(target === undefined ? [] : [target])].join(' ');
  return `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`;
}

/** A whole page. */
export function page(title: string, content: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${STYLE_ELEMENT}
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}
