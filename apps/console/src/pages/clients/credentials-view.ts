import { html, type Markup } from '@vestibule/http/pages';
import { valueList } from '../../frame/parts.js';

/** Renders new credentials, by name. They are shown once: the page that responds to the action is kept nowhere. */
export function credentialsView(credentials: Readonly<Record<string, string | undefined>>): Markup {
  const shown = Object.entries(credentials).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, html`<code>${value}</code>`] as const],
  );
  return html`<section>
<h2>Shown once</h2>
<p role="status">Copy this now: no other page of the console shows it again.</p>
${valueList(Object.fromEntries(shown))}
</section>`;
}
