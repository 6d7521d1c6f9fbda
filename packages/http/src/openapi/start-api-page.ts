/**
 * Script that starts Swagger UI. It follows the colour scheme of the browser, and adds accessible names to fields that
 * have none in Swagger UI.
 */
export const START = `const root = document.documentElement;
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => root.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const api = document.getElementById('api');
const name = (selector, nameOf) => {
  for (const element of api.querySelectorAll(selector)) {
    const wanted = nameOf(element);
    if (element.getAttribute('aria-label') !== wanted) element.setAttribute('aria-label', wanted);
  }
};
const nameFields = () => {
  name('#servers', () => 'Server');
  name('.close-modal', () => 'Close');
  name('.body-param__text', () => 'Request body');
  name('tr[data-param-name] :is(input, select, textarea):not([type=checkbox])', (field) =>
    field.closest('tr').dataset.paramName);
  name('.opblock-section-request-body tr :is(input, select, textarea):not([type=checkbox])', (field) =>
    field.closest('tr').querySelector('.parameter__name')?.firstChild?.textContent.trim() ?? 'Value');
  name('.auth-btn-wrapper .authorize', (button) => button.textContent);
  name('.opblock-control-arrow', () => 'Show or hide the operation');
  for (const block of api.querySelectorAll('pre, .highlight-code > *, .model-example')) block.tabIndex = 0;
};
new MutationObserver(nameFields).observe(api, { childList: true, subtree: true });

SwaggerUIBundle({
  url: api.dataset.document,
  dom_id: '#api',
  validatorUrl: null,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
});
`;
