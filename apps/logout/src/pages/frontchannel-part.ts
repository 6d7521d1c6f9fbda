import type { FrontchannelPlan, FrontchannelTarget } from '@vestibule/logout';
import { html, type Markup, pageScript } from '@vestibule/service-kit/pages';
import type { Locale } from '../languages/choose-locale.js';
import { shownName } from '../languages/say.js';
import { clientName } from './client-name.js';
import type { PageSetting } from './page-setting.js';
import type { PageParts } from './render.js';

/** How long clients have, in milliseconds and in the seconds of the way without script. */
const PATIENCE_MS = 3_000;
const PATIENCE_SECONDS = PATIENCE_MS / 1_000;
/** How long what became of it can be read before the browser goes on. */
const READING_MS = 400;

/**
 * Marks clients as told when their frame has loaded or says anything, and goes on when all have or time is up. It
 * listens before there are frames, so that it misses none.
 */
const SCRIPT = pageScript(`
(() => {
  const frames = () => [...document.querySelectorAll('iframe')];
  const clients = () => document.getElementById('clients');
  const told = new Set();
  let isOver = false;
  const show = (word) => {
    const list = clients();
    frames().forEach((frame, index) => {
      const state = list.children[index].lastElementChild;
      const isTold = told.has(frame);
      state.textContent = isTold ? list.dataset.told : word(list);
      state.className = isOver && !isTold ? 'silent' : '';
    });
  };
  const end = () => {
    if (isOver) return;
    isOver = true;
    show((list) => list.dataset.silent);
    const status = document.getElementById('status');
    status.textContent = told.size === clients().children.length ? status.dataset.all : status.dataset.some;
    const { next } = status.dataset;
    if (next) setTimeout(() => location.replace(next), ${READING_MS});
  };
  const mark = (frame) => {
    told.add(frame);
    if (isOver || document.readyState === 'loading') return;
    show((list) => list.dataset.waiting);
    if (told.size === frames().length) end();
  };
  document.addEventListener('load', ({ target }) => {
    if (target instanceof HTMLIFrameElement) mark(target);
  }, true);
  addEventListener('message', ({ source }) => {
    const frame = frames().find(({ contentWindow }) => contentWindow === source);
    if (frame) mark(frame);
  });
  document.addEventListener('DOMContentLoaded', () => {
    show((list) => list.dataset.waiting);
    if (told.size === frames().length) end();
  });
  setTimeout(end, ${PATIENCE_MS});
})();
`);

/**
 * What a page needs that tells clients by their own pages (OpenID Connect Front-Channel Logout 1.0 section 3): one
 * hidden frame for each that can be reached so, what became of it, and then the way on, with and without script.
 */
export function frontchannelPart(
  setting: PageSetting,
  locale: Locale,
  { targets, unreached, redirect }: FrontchannelPlan & { readonly redirect: string | undefined },
): Pick<PageParts, 'content' | 'frames' | 'script'> & { readonly head: Markup } {
  const { messages } = locale;
  const nameOf = ({ metadata }: Pick<FrontchannelTarget, 'metadata'>) =>
    shownName(clientName(metadata, locale));
  return {
    head: html`${redirect === undefined ? undefined : refresh(redirect)}${SCRIPT.element}`,
    content: html`<p id="status" role="status" aria-live="polite" data-all="${messages.allTold}" data-some="${messages.someSilent}" data-next="${redirect}">${messages.telling}</p>
<ul class="clients" id="clients" data-waiting="${messages.waiting}" data-told="${messages.told}" data-silent="${messages.silent}">
${targets.map((target) => html`<li><bdi>${nameOf(target)}</bdi> <span></span></li>\n`)}${unreached.map((client) => html`<li><bdi>${nameOf(client)}</bdi> <span class="silent">${messages.silent}</span></li>\n`)}</ul>
<div hidden>
${targets.map((target) => frame(setting, target, nameOf(target)))}</div>`,
    frames: targets.map(({ origin }) => origin),
    script: SCRIPT,
  };
}

function refresh(address: string): Markup {
  return html`<noscript><meta http-equiv="refresh" content="${PATIENCE_SECONDS.toString()};url=${address}"></noscript>`;
}

/** A page of somebody else needs its own origin to forget its session; one of our origin could then free itself. */
function frame({ origin }: PageSetting, target: FrontchannelTarget, name: string): Markup {
  const permissions = target.origin === origin ? 'allow-scripts' : 'allow-scripts allow-same-origin';
  return html`<iframe title="${name}" src="${target.address}" sandbox="${permissions}" referrerpolicy="no-referrer" tabindex="-1"></iframe>\n`;
}
