/** A client with a secret. */
export interface Application {
  readonly id: string;
  readonly secret: string;
}

/** The response to a form. */
export interface FormResponse {
  readonly status: number;
  /** The members that tests read, as far as the endpoint has them. */
  readonly body: {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly error?: string;
    readonly sid?: string;
  };
}

/** Sends a form as a client with `client_secret_basic`. */
export async function postForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  { id, secret }: Application,
): Promise<FormResponse> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams(fields),
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text || '{}') };
}

/** The members of a JSON response. */
export async function membersOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse(await response.text());
}

/** The header and the claims of a JWT, unverified. */
export function decodeJwt(token: string) {
  const [header = '', claims = ''] = token.split('.');
  const decoded = (part: string): Readonly<Record<string, unknown>> =>
    JSON.parse(Buffer.from(part, 'base64url').toString());
  return { header: decoded(header), claims: decoded(claims) };
}
