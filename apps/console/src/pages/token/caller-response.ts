import { grantIntrospection } from '@vestibule/client-auth';
import { type Client, isActiveClient } from '@vestibule/clients';
import type { Database } from '@vestibule/database';
import { DomainError, parseClientId } from '@vestibule/protocol';
import {
  type InactiveCause,
  type Introspection,
  type IntrospectionResponse,
  introspect,
} from '@vestibule/tokens/introspection';
import { inactiveSentences } from './inactive-reasons.js';
import type { TokenIntrospection } from './token-deps.js';

/** What a resource server gets for a token. */
export type CallerResponse =
  /** It is none that can be looked up; the sentence belongs to the field. */
  | { readonly kind: 'unknown'; readonly problem: string }
  /** The endpoint refuses it, whatever the token. */
  | { readonly kind: 'refused'; readonly status: string; readonly why: string }
  | {
      readonly kind: 'response';
      readonly response: IntrospectionResponse;
      /** Sentences. */
      readonly why: readonly string[];
      /** How the response is written. */
      readonly format: string;
    };

/** Dependencies of {@link responseTo}. */
export interface CallerResponseDeps {
  readonly introspection: TokenIntrospection;
  readonly clients: Pick<Database['clients'], 'find'>;
}

/**
 * Finds out what a resource server would get from the introspection endpoint, by the rules of the endpoint and without
 * its credentials. Nothing is consumed or counted.
 * @param causes what is known of why the token is not active
 */
export async function responseTo(
  { introspection: rules, clients }: CallerResponseDeps,
  caller: string,
  { token, causes }: { readonly token: string; readonly causes: readonly InactiveCause[] },
): Promise<CallerResponse> {
  const id = parseClientId(caller);
  if (id === undefined) return { kind: 'unknown', problem: 'It is not a client identifier.' };
  const client = await clients.find(id);
  if (client === undefined) return { kind: 'unknown', problem: 'There is no client with this identifier.' };
  if (!isActiveClient(client, rules.clock))
    return { kind: 'refused', status: '401 invalid_client', why: whyNotActive(client) };
  try {
    const granted = grantIntrospection(client, rules.issuer);
    const result = await introspect(rules, { token, caller: granted, revoke: false });
    return {
      kind: 'response',
      response: result.response,
      why: reasons(result, granted.audienceNames, { rules, causes }),
      format: formatOf(client, rules),
    };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'access_denied') throw error;
    return { kind: 'refused', status: '403 access_denied', why: error.description };
  }
}

function whyNotActive({ status }: Client): string {
  return status === 'active'
    ? 'The registration of the client has expired, so that it cannot authenticate.'
    : `The client is ${status}, so that it cannot authenticate.`;
}

function reasons(
  { decision, response }: Introspection,
  names: readonly string[],
  { rules, causes }: { readonly rules: TokenIntrospection; readonly causes: readonly InactiveCause[] },
): readonly string[] {
  const { audienceRule, narrowScope } = rules;
  if (!decision.active)
    return [
      ...inactiveSentences(decision.reason, causes),
      ...(decision.reason === 'foreign_audience'
        ? [`The names of the caller in an audience are ${listed(names)}.`]
        : []),
    ];
  const { audience, scope } = decision.state.token;
  const isForCaller = audience.some((name) => names.includes(name));
  return [
    ...whyFor(audience, isForCaller, audienceRule),
    ...leftOut('audience', audience, textsOf(response['aud']), 'INTROSPECTION_PRUNE_AUDIENCE'),
    ...(narrowScope === true
      ? leftOut('scope', words(scope), words(response['scope']), 'INTROSPECTION_NARROW_SCOPE')
      : []),
  ];
}

function whyFor(
  audience: readonly string[],
  isForCaller: boolean,
  rule: TokenIntrospection['audienceRule'],
): readonly string[] {
  if (audience.length === 0) return ['The token has no audience, so that it is for every resource server.'];
  if (isForCaller) return ['The caller is in the audience of the token.'];
  return rule === 'report'
    ? ['The caller is not in the audience of the token. INTROSPECTION_AUDIENCE_RULE only reports that.']
    : [];
}

function leftOut(
  member: string,
  all: readonly string[],
  shown: readonly string[],
  setting: string,
): readonly string[] {
  const missing = all.filter((value) => !shown.includes(value));
  return missing.length === 0
    ? []
    : [`Of the ${member}, ${listed(missing)} is left out for this caller (${setting}).`];
}

function formatOf({ metadata }: Client, { format }: TokenIntrospection): string {
  if (format === 'json') return 'JSON, for every caller (INTROSPECTION_FORMAT)';
  const algorithm = metadata.introspection_signed_response_alg;
  const signed = algorithm === undefined ? 'signed' : `signed with ${algorithm}`;
  return format === undefined
    ? `JSON, or a JWT that is ${signed} if Accept asks for it`
    : `a JWT that is ${signed}, for every caller (INTROSPECTION_FORMAT)`;
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function words(text: unknown): readonly string[] {
  return typeof text === 'string' && text !== '' ? text.split(' ') : [];
}

function listed(names: readonly string[]): string {
  return names.join(', ');
}
