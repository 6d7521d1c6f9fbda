/** A request with its response, for printing. */
export interface Exchange {
  /** The sender: the name of an application, or the browser. */
  readonly from: string;
  readonly method: string;
  readonly address: string;
  readonly status: number;
  /** The headers and members of the request, besides the address. */
  readonly sent?: Members;
  readonly received?: Members;
}

/** Members of a form, of a JSON object or of headers. */
export type Members = Readonly<Record<string, unknown>>;

const SECRETS: ReadonlySet<string> = new Set([
  'access_token',
  'authorization',
  'client_assertion',
  'client_secret',
  'code',
  'code_challenge',
  'code_verifier',
  'confirmation',
  'id_token',
  'id_token_hint',
  'logout_token',
  'nonce',
  'password',
  'refresh_token',
  'request',
  'registration_access_token',
  'state',
  'token',
]);

const SHOWN_CHARACTERS = 4;
/** A shorter secret is hidden completely, because the hidden part would be too short. */
const MIN_SHOWN_LENGTH = 16;
const MAX_TEXT = 100;

/** The lines of an exchange: sender, method, address, status, then a line for each member. Secrets are shortened. */
export function exchangeLines(exchange: Exchange): readonly string[] {
  const { from, method, address, status, sent = {}, received = {} } = exchange;
  const { target, query } = splitAddress(address);
  return [
    `  ${from}: ${method} ${target} ${status}`,
    ...memberLines('→', { ...query, ...sent }),
    ...memberLines('←', withReadableLocation(received)),
  ];
}

/** A secret for display: its first characters, or none of a short one. */
export function shorten(secret: string): string {
  return secret.length >= MIN_SHOWN_LENGTH ? `${secret.slice(0, SHOWN_CHARACTERS)}…` : '…';
}

/** The lines of a document; members of objects by their paths. */
export function documentLines(title: string, members: Members): readonly string[] {
  return [`  ${title}`, ...memberLines('·', Object.fromEntries(flatEntries(members)))];
}

function flatEntries(members: Members, above = ''): readonly (readonly [string, unknown])[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? flatEntries({ ...value }, `${above}${name} `) : [[`${above}${name}`, value] as const];
  });
}

function splitAddress(address: string): { readonly target: string; readonly query: Members } {
  if (!URL.canParse(address)) return { target: address, query: {} };
  const { origin, pathname, searchParams } = new URL(address);
  return { target: origin + pathname, query: Object.fromEntries(searchParams) };
}

/** Splits the Location header like the address of a request, because its query may contain a code. */
function withReadableLocation({ location, ...others }: Members): Members {
  if (typeof location !== 'string') return others;
  const { target, query } = splitAddress(location);
  return { location: target, ...query, ...others };
}

function memberLines(arrow: string, members: Members): readonly string[] {
  return Object.entries(members).map(([name, value]) => `      ${arrow} ${name}: ${shown(name, value)}`);
}

function shown(path: string, value: unknown): string {
  const name = path.slice(path.lastIndexOf(' ') + 1);
  if (name === 'authorization') return shownAuthorization(String(value));
  if (SECRETS.has(name)) return shorten(String(value));
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function shownAuthorization(value: string): string {
  const [scheme = '', credentials = ''] = value.split(' ');
  return `${scheme} ${shorten(credentials)}`;
}
