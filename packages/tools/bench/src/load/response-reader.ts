/** A complete response of a server. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case; the last value of a repeated name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Bytes of head and body as received. */
  readonly bytes: number;
}

/** Parses the responses on a connection. */
export interface ResponseReader {
  /**
   * Adds received data and gives the responses that it completes.
   * @throws TypeError for responses without `content-length`, which no measured server sends
   */
  read(chunk: string): readonly RawResponse[];
}

const HEAD_END = '\r\n\r\n';

/** Creates a reader for one connection. Text is read as latin1, so that a character is a byte. */
export function responseReader(): ResponseReader {
  let pending = '';
  const next = (): RawResponse | undefined => {
    const headEnd = pending.indexOf(HEAD_END);
    if (headEnd === -1) return undefined;
    const [statusLine = '', ...lines] = pending.slice(0, headEnd).split('\r\n');
    const headers = new Map(lines.map(headerOf));
    const status = Number(statusLine.split(' ')[1]);
    const bodyStart = headEnd + HEAD_END.length;
    const bytes = bodyStart + contentLength(status, headers);
    if (pending.length < bytes) return undefined;
    const body = Buffer.from(pending.slice(bodyStart, bytes), 'latin1').toString();
    pending = pending.slice(bytes);
    return { status, headers, body, bytes };
  };
  return {
    read: (chunk) => {
      pending += chunk;
      const responses: RawResponse[] = [];
      for (let response = next(); response !== undefined; response = next()) responses.push(response);
      return responses;
    },
  };
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function contentLength(status: number, headers: ReadonlyMap<string, string>): number {
  if (status === 204 || status === 304) return 0;
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (!Number.isSafeInteger(length)) throw new TypeError('the response has no length');
  return length;
}
