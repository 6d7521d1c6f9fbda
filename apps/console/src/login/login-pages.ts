import type { Reply } from '@vestibule/http';
import { html, type Markup } from '@vestibule/http/pages';
import { ThrottledError } from '@vestibule/protocol';
import type { UpstreamError } from '@vestibule/service/upstream';
import type { ConsolePage } from '../frame/console-route.js';
import { type FailedRequest, failurePage } from '../frame/failure-page.js';
import { layout } from '../frame/layout.js';
import { LOGIN_PATH, loginAddress } from './console-paths.js';
import { SCOPE_CLAIM } from './role-claim.js';

/** Sends a page without the frame of a session. */
export function sendPage(reply: Reply, path: string, page: ConsolePage): Reply {
  const { status, headers, body } = layout({ path }, page);
  return reply.code(status).headers(headers).send(body);
}

/**
 * Responds, and shows failures that have a reason as pages: an unavailable store, or a form of another session.
 * @throws ThrottledError, whose response has a header, and faults of the program
 */
export async function withFailurePages(
  reply: Reply,
  failed: FailedRequest,
  respond: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await respond();
  } catch (error) {
    const page = error instanceof ThrottledError ? undefined : failurePage(error, failed);
    if (page === undefined) throw error;
    return sendPage(reply, failed.address, page);
  }
}

/** The response of the provider belongs to no login that began in this browser in the last minutes. */
export function unknownAttemptPage(): ConsolePage {
  return {
    status: 400,
    title: 'This login is not valid here',
    content: html`<p role="alert">It has expired, or it began in another browser.</p>
${logInLink('/', 'Log in')}`,
  };
}

/** A login that failed at the provider. Its code is one of a fixed form, never text of the provider. */
export function failedLoginPage({ reason, code }: UpstreamError, to: string): ConsolePage {
  const { status, title, sentence } =
    FAILURES[reason === 'refused' && code === 'access_denied' ? 'denied' : reason];
  return {
    status,
    title,
    content: html`<p role="alert">${sentence}</p>
${code === undefined ? undefined : html`<p>The reason: <code>${code}</code></p>\n`}${logInLink(to, 'Try again')}`,
  };
}

const FAILURES: Readonly<
  Record<
    UpstreamError['reason'] | 'denied',
    { readonly status: number; readonly title: string; readonly sentence: string }
  >
> = {
  denied: {
    status: 403,
    title: 'You are not logged in',
    sentence: 'The login was cancelled at the OpenID provider.',
  },
  unreachable: {
    status: 502,
    title: 'The OpenID provider cannot be reached',
    sentence: 'The console asks it who you are. It works again as soon as the provider does.',
  },
  refused: {
    status: 502,
    title: 'The OpenID provider refused the login',
    sentence: 'Check that the provider knows this console as a client, with its redirect URI and scope.',
  },
  response: {
    status: 502,
    title: 'The login could not be verified',
    sentence: 'The response of the OpenID provider is not valid.',
  },
  stale_login: {
    status: 403,
    title: 'You are not logged in',
    sentence: 'The OpenID provider did not ask you to log in again.',
  },
};

/** A login without a role. Names the claim that is missing, and nothing of what the login contains. */
export function noRolePage(claim: string): ConsolePage {
  const missing =
    claim === SCOPE_CLAIM
      ? html`The granted scope has none of the values that give a role.`
      : html`The claim <code>${claim}</code> of your login has none of the values that give a role, or is absent.`;
  return {
    status: 403,
    title: 'You have no role in this console',
    content: html`<p role="alert">${missing}</p>
<p>An administrator can give you one at the OpenID provider. Then log in again.</p>
<p><a href="${LOGIN_PATH.login}?fresh=yes">Log in as another person</a></p>`,
  };
}

/** After the logout here, on the way to the logout of the provider. */
export function leavePage(atProvider: URL): ConsolePage {
  return {
    title: 'You are logged out of the console',
    content: html`<p><a href="${atProvider.href}" rel="noreferrer">Log out at the OpenID provider too</a></p>`,
  };
}

/** After the logout here, if that of the provider cannot follow. */
export function stillLoggedInPage(): ConsolePage {
  return {
    title: 'You are logged out of the console',
    content: html`<p>You may still be logged in at the OpenID provider. Log out there too if others use this device.</p>
${logInLink('/', 'Log in')}`,
  };
}

/** The end of the way. */
export function loggedOutPage(): ConsolePage {
  return { title: 'You are logged out of the console', content: logInLink('/', 'Log in') };
}

function logInLink(to: string, text: string): Markup {
  return html`<p><a href="${loginAddress(to)}">${text}</a></p>`;
}
