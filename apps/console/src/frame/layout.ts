import { html, type Markup, pageHeaders } from '@vestibule/http/pages';
import type { ConsolePage } from './console-route.js';
import type { Operator } from './operator.js';
import { SCRIPT_PATH, STYLE_PATH } from './static-files.js';

/** A page as it is sent. */
export interface SentPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The sections of the navigation: path and text, in their order. */
export const SECTIONS = [
  ['/', 'Overview'],
  ['/clients', 'Clients'],
  ['/initial-tokens', 'Initial tokens'],
  ['/token', 'A token'],
  ['/end-users', 'End-users'],
  ['/federation', 'Federation'],
  ['/audit', 'Audit'],
  ['/keys', 'Keys'],
] as const;

/** What stands around a page. */
export interface Frame {
  /** Absent before login: there is no navigation then. */
  readonly operator?: Operator | undefined;
  /** Path of the page, for the navigation. */
  readonly path: string;
  /** A sentence about the action before. */
  readonly notice?: string | undefined;
  /** Form token of the button that logs out. */
  readonly formToken?: string | undefined;
}

/** Renders a page in the frame of the console, with the headers that it is sent with. */
export function layout(frame: Frame, { title, content, status = 200 }: ConsolePage): SentPage {
  const { operator, notice } = frame;
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Vestibule</title>
<link rel="stylesheet" href="${STYLE_PATH}">
<script src="${SCRIPT_PATH}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${operator && header(frame, operator)}
<main id="content" tabindex="-1">
<h1>${title}</h1>
${notice === undefined ? undefined : html`<p class="notice" role="status">${notice}</p>`}
${content}
</main>
</body>
</html>
`.text;
  return { status, headers: { ...pageHeaders(POLICY), ...REFERRER_POLICY }, body };
}

/**
 * Other origins get no referrer. With `no-referrer`, browsers would send forms of this origin with `Origin: null` too (Fetch
 * section 3.1), which cannot be distinguished from forms of others.
 */
const REFERRER_POLICY = { 'referrer-policy': 'same-origin' };

/**
 * Only files of this origin, and no framing; nothing that a page shows can cause a request elsewhere. Forms may lead to
 * the authorization server through redirects of this origin (login and logout), which `form-action` would check: the
 * form of the logout responds with a page that has a link.
 */
const POLICY = [
  `default-src 'none'`,
  `style-src 'self'`,
  `script-src 'self'`,
  `connect-src 'self'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

function header({ path, formToken }: Frame, { name, role }: Operator): Markup {
  const links = SECTIONS.map(([address, text]) => {
    const isHere = address === '/' ? path === '/' : path === address || path.startsWith(`${address}/`);
    return html`<li><a href="${address}"${isHere ? html` aria-current="page"` : undefined}>${text}</a></li>\n`;
  });
  return html`<header>
<p class="brand">Vestibule</p>
<nav aria-label="Sections"><ul>
${links}</ul></nav>
<form method="post" action="/logout" class="who">
<input type="hidden" name="form_token" value="${formToken}">
<a href="/session">${name} <small>${role}</small></a>
<button class="other">Log out</button>
</form>
</header>`;
}
