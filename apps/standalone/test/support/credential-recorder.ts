import { vi } from 'vitest';

/** The members of responses and forms that contain a credential. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'client_secret',
  'registration_access_token',
  'access_token',
  'refresh_token',
  'id_token',
  'code',
  'code_verifier',
  'client_assertion',
  'password',
  'preferred_client_secret',
]);

/** Every credential in requests and responses. */
export interface CredentialRecorder {
  readonly credentials: ReadonlySet<string>;
  add(credential: string): void;
  stop(): void;
}

/**
 * Records the credentials in every `fetch` of this process, in requests and responses: the header `Authorization`,
 * members of JSON responses and of forms, cookies, and parameters of redirects.
 */
export function recordCredentials(): CredentialRecorder {
  const credentials = new Set<string>();
  const { fetch: plain } = globalThis;
  const keepEntries = (entries: Iterable<readonly [string, unknown]>) => {
    for (const [name, value] of entries)
      if (CREDENTIALS.has(name) && typeof value === 'string' && value !== '') credentials.add(value);
  };
  const saveResponse = async (response: Response) => {
    for (const cookie of response.headers.getSetCookie()) {
      const [, value = ''] = /^[^=]+=([^;]*)/.exec(cookie) ?? [];
      if (value !== '') credentials.add(value);
    }
    const location = response.headers.get('location');
    if (location !== null) keepEntries(new URL(location, response.url).searchParams);
    for (const object of objectsIn(await response.text())) keepEntries(Object.entries(object));
  };
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const [, authorization] = new Headers(init?.headers).get('authorization')?.split(' ') ?? [];
    if (authorization !== undefined) credentials.add(authorization);
    if (init?.body instanceof URLSearchParams) keepEntries(init.body);
    const response = await plain(input, init);
    await saveResponse(response.clone());
    return response;
  });
  return {
    credentials,
    add: (credential) => void credentials.add(credential),
    stop: () => spy.mockRestore(),
  };
}

function objectsIn(text: string): readonly object[] {
  if (!/^[[{]/.test(text)) return [];
  const value: unknown = JSON.parse(text);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === 'object' && each !== null);
}
