import { html, type Markup, policySource } from '@vestibule/service-kit/pages';
import type { PendingInteraction } from '../interaction/interaction-host.js';
import { page } from '../pages/page.js';

const NOTICE = html`Demonstration: this page is part of a local stack and knows a few made-up people.`;

/** The page on which an end-user logs in. */
export function loginPage({ client, loginHint }: PendingInteraction, problem?: string): string {
  return page(
    'Log in',
    html`<p class="demo" role="note">${NOTICE} Do not type a password of yours.</p>
<p>To go on to <strong>${client.name ?? client.id}</strong></p>
${problem === undefined ? undefined : html`<p class="alert" role="alert">${problem}</p>`}
<form method="post" autocomplete="on">
<label for="username">Name</label>
<input id="username" name="username" value="${loginHint}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="255" required>
<div class="actions">
<button name="decision" value="login">Log in</button>
<button class="other" name="decision" value="refuse" formnovalidate>Cancel</button>
</div>
</form>`,
  );
}

/** The page on which an end-user allows what a client asks for. */
export function consentPage({ client, accountId, scopes, claims }: PendingInteraction): string {
  const asked = [
    ...scopes.map(describeScope),
    ...claims.map((name) => html`<li>claim <span class="code">${name}</span></li>`),
  ];
  return page(
    'Allow access?',
    html`<p class="demo" role="note">${NOTICE}</p>
<p><strong>${client.name ?? client.id}</strong> asks for access in the name of <strong>${accountId}</strong>:</p>
${asked.length === 0 ? html`<p>nothing new: it wants you to confirm.</p>` : html`<ul>${asked}</ul>`}
${links(client)}
${destination(client)}
<form method="post">
<div class="actions">
<button name="decision" value="consent">Allow</button>
<button class="other" name="decision" value="refuse">Refuse</button>
</div>
</form>`,
  );
}

/** The page about an interaction that is over, or of another browser. */
export function gonePage(): string {
  return page('This page has expired', html`<p>Go back to the application and start again.</p>`);
}

const SCOPES: Readonly<Record<string, string>> = {
  openid: 'to know who you are',
  profile: 'your name and profile',
  email: 'your e-mail address',
  address: 'your postal address',
  phone: 'your telephone number',
  offline_access: 'access while you are away',
};

function describeScope(value: string): Markup {
  const words = SCOPES[value];
  return words === undefined ? html`<li><span class="code">${value}</span></li>` : html`<li>${words}</li>`;
}

/** A name is easily taken; where the browser goes is what was registered. */
function destination({ redirectUri }: PendingInteraction['client']): Markup | undefined {
  const place = policySource(redirectUri);
  return place === undefined
    ? undefined
    : html`<p>Afterwards you go to <span class="code">${place}</span></p>`;
}

function links({ policyUri, tosUri }: PendingInteraction['client']): Markup | undefined {
  const policy = isWebAddress(policyUri) && html`<a href="${policyUri}" rel="noreferrer">privacy policy</a>`;
  const terms = isWebAddress(tosUri) && html`<a href="${tosUri}" rel="noreferrer">terms of service</a>`;
  if (policy && terms) return html`<p>Read its ${policy} and its ${terms}.</p>`;
  const only = policy || terms;
  return only ? html`<p>Read its ${only}.</p>` : undefined;
}

function isWebAddress(address: string | undefined): address is string {
  return address !== undefined && /^https?:\/\//i.test(address);
}
