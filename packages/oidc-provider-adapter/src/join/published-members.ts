import { isDeepStrictEqual } from 'node:util';
import type { ReplacingEndpoints } from './configuration-problems.js';
import type { LibraryConfiguration } from './library-configuration.js';

/** The members of discovery that name the services. */
export function publishedMembers({ registration, introspection, logout }: ReplacingEndpoints) {
  return {
    registration_endpoint: registration,
    introspection_endpoint: introspection,
    end_session_endpoint: logout,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  };
}

/** Members of `discovery` with which a team would contradict what is published. */
export function discoveryProblems(
  { discovery = {} }: LibraryConfiguration,
  endpoints: ReplacingEndpoints,
): readonly string[] {
  const given: ReadonlyMap<string, unknown> = new Map(Object.entries(discovery));
  return Object.entries(publishedMembers(endpoints)).flatMap(([name, value]) => {
    const isSame = given.get(name) === undefined || isDeepStrictEqual(given.get(name), value);
    return isSame
      ? []
      : [`discovery.${name}: must not be set to another value, because ${value} is published. Remove it.`];
  });
}
