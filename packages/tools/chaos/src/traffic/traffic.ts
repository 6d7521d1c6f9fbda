import type { Closers } from '@vestibule/local-services';
import type { Exchange, PassedResponse } from '../fleet/gateway.js';
import type { Expected } from '../fleet/ledger.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';

/** Asks the service, and counts a response that is not the right one. @throws when it is not */
export type Ask = (exchange: Exchange, expected: Expected) => Promise<PassedResponse>;

/** What callers of one service do all the time. */
export interface Traffic {
  /** Settings that the service needs for it. */
  readonly environment: Readonly<Record<string, string>>;
  /** What one caller does; every response is judged. */
  turn(ask: Ask): Promise<void>;
  /** Looks, when all turns are over, at what was to happen besides. @returns sentences that are not so */
  afterwards?(): Promise<readonly string[]>;
}

/** Where traffic takes place. */
export interface TrafficFixture extends Pick<TestEnvironment, 'installation'> {
  /** The master token that callers use now. */
  readonly masterToken: () => string;
}

/** Prepares the traffic of one service. */
export type OpenTraffic = (fixture: TrafficFixture, toEnd: Closers) => Promise<Traffic>;

/** Header of a form. */
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** A form as it is sent. */
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
