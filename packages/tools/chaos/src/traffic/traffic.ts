import type { Closers } from '@vestibule/local-services';
import type { Exchange, PassedResponse } from '../fleet/gateway.js';
import type { Expected } from '../fleet/ledger.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';

/** Sends a request to the service, and counts an unexpected response. @throws when it is unexpected */
export type Send = (exchange: Exchange, expected: Expected) => Promise<PassedResponse>;

/** The continuous requests of one service's callers. */
export interface Traffic {
  /** Settings that the service needs for this traffic. */
  readonly environment: Readonly<Record<string, string>>;
  /** One turn of a caller; every response is checked. */
  turn(send: Send): Promise<void>;
  /** Checks side effects when all turns are over. @returns problems as sentences */
  afterwards?(): Promise<readonly string[]>;
}

/** What traffic can use. */
export interface TrafficFixture extends Pick<TestEnvironment, 'installation'> {
  /** The current master token of callers. */
  readonly masterToken: () => string;
}

/** Prepares the traffic of one service. */
export type OpenTraffic = (fixture: TrafficFixture, toEnd: Closers) => Promise<Traffic>;

/** The header of a form. */
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** An encoded form. */
export function formOf(members: Readonly<Record<string, string>>): string {
  return new URLSearchParams(members).toString();
}

/** The header of a bearer token. */
export function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

/** The headers of JSON with a bearer token. */
export function bearerJson(token: string): Readonly<Record<string, string>> {
  return { ...bearer(token), 'content-type': 'application/json' };
}
