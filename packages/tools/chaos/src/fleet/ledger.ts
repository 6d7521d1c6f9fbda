import type { Exchange, Gateway, PassedResponse } from './gateway.js';

/** Counts requests to services and unexpected responses. */
export interface Ledger {
  readonly requests: number;
  readonly failures: number;
  readonly slowestMs: number;
  /** The first failures, one sentence each. */
  readonly examples: readonly string[];
  /**
   * Sends a request through a gateway and returns the response. @throws UnexpectedResponse when there is none, or an
   * unexpected one
   */
  send(gateway: Gateway, exchange: Exchange, expected: Expected): Promise<PassedResponse>;
}

/** The expected response. */
export interface Expected {
  readonly status: number;
  readonly isRight?: (body: string) => boolean;
}

/** There was no response, or an unexpected one; it is already counted. */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse';
}

const MAX_EXAMPLES = 5;
const MAX_BODY = 200;

/** Creates an empty ledger. */
export function openLedger(): Ledger {
  const examples: string[] = [];
  const seen = { requests: 0, failures: 0, slowestMs: 0, examples };
  const fail = (sentence: string): never => {
    seen.failures += 1;
    if (examples.length < MAX_EXAMPLES) examples.push(sentence);
    throw new UnexpectedResponse(sentence);
  };
  const send: Ledger['send'] = async (gateway, exchange, { status, isRight = () => true }) => {
    const { method, path } = exchange;
    const begunAt = performance.now();
    seen.requests += 1;
    const response = await gateway
      .send(exchange)
      .catch((error: unknown) => fail(`${method} ${path.split('?', 1)[0]}: ${String(error)}`));
    seen.slowestMs = Math.max(seen.slowestMs, performance.now() - begunAt - (exchange.slowMs ?? 0));
    if (response.status === status && isRight(response.body)) return response;
    const text = response.body.slice(0, MAX_BODY);
    return fail(`${method} ${path.split('?', 1)[0]}: ${response.status} instead of ${status} ${text}`);
  };
  return Object.assign(seen, { send });
}
