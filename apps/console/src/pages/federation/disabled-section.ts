import { html, type Markup } from '@vestibule/http/pages';
import { section } from '../../frame/parts.js';

/** Says how to enable federation. */
export function disabledSection(): Markup {
  return section(
    'Federation is not enabled',
    html`<p>Set <code>FEDERATION_ENABLED</code> to <code>true</code>, and <code>FEDERATION_TRUST_ANCHORS</code> or <code>FEDERATION_TRUST_ANCHORS_FILE</code> to the trust anchors with their keys, for the federation service and for the console.</p>`,
  );
}
