import type { Profile } from '@vestibule/federation';
import { html, page } from '@vestibule/http/pages';
import { EXPLANATION_PAGE_HEADERS, type ExplanationPage } from './explanation-page.js';
import { EXPLANATION_STYLE } from './explanation-style.js';

/** Prefilled values of the form. */
export interface ExplanationFormContent {
  readonly sub?: string;
  readonly profile?: Profile;
  /** Why the form is shown again. */
  readonly problem?: string;
}

const PROFILES: readonly (readonly [Profile, string])[] = [
  ['final', 'OpenID Federation 1.0'],
  ['draft', 'Earlier drafts'],
];

/** The form with which an operator requests an explanation. */
export function explanationForm({
  sub,
  profile: chosen = 'final',
  problem,
}: ExplanationFormContent): ExplanationPage {
  const options = PROFILES.map(([profile, name]) =>
    profile === chosen
      ? html`<option value="${profile}" selected>${name}</option>`
      : html`<option value="${profile}">${name}</option>`,
  );
  const content = html`
<p>Shows every path from an entity to a trust anchor, why each one is valid or not, and what would be registered. Nothing is
registered.</p>
${problem === undefined ? undefined : html`<p class="alert" role="alert">${problem}</p>`}
<form method="post" autocomplete="off">
<label for="sub">Entity identifier</label>
<input id="sub" name="sub" type="url" value="${sub}" placeholder="https://rp.example.org" maxlength="2048" spellcheck="false" required>
<label for="profile">Profile</label>
<select id="profile" name="profile">${options}</select>
<label for="master_token">Master token</label>
<input id="master_token" name="master_token" type="password" maxlength="8192" autocomplete="off" required>
<div class="actions"><button>Explain</button></div>
</form>`;
  const body = page({ style: EXPLANATION_STYLE, title: 'Explain trust in an entity', content });
  return { headers: EXPLANATION_PAGE_HEADERS, body };
}
