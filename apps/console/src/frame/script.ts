/**
 * The script of every page. Pages work without it: it shows live figures, and asks before a page with typed text is
 * left.
 */
export const SCRIPT = `'use strict';
const live = document.querySelector('[data-live]');
if (live && 'EventSource' in window) {
  const source = new EventSource(live.dataset.live);
  source.onmessage = ({ data }) => {
    for (const [name, text] of Object.entries(JSON.parse(data))) {
      const place = document.querySelector('[data-figure="' + CSS.escape(name) + '"]');
      if (place) place.textContent = text;
    }
  };
}
let isTyped = false;
document.addEventListener('input', ({ target }) => { isTyped ||= target.tagName === 'TEXTAREA'; });
document.addEventListener('submit', () => { isTyped = false; });
addEventListener('beforeunload', (event) => { if (isTyped) event.preventDefault(); });
`;
