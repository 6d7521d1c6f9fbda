import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import { cacheTag } from '../cache/cache-tag.js';
import type { TokenCache } from '../cache/cached-token-states.js';
import type { Introspection } from '../introspection/introspect.js';
import type { TagStream } from './tag-stream.js';

/** How long a resource server may keep a response. */
export interface ResponseTags {
  /** The response reflects every change below this position of the stream. */
  readonly position: string;
  /** It is outdated by a later change with one of these tags. */
  readonly tags: readonly string[];
  /** It must not be used for longer, in whole seconds. */
  readonly maxAgeSeconds: number;
}

/** What is needed to find out how long a response may be kept. */
export interface ResponseTagsDeps {
  readonly tagStream: Pick<TagStream, 'names'>;
  readonly states: Pick<TokenCache, 'validity'>;
}

/** A response with its request. */
export interface TaggedResponse {
  readonly token: string;
  readonly caller: ClientId;
  readonly introspection: Pick<Introspection, 'decision'>;
  /** The position of the stream before the caller was authenticated. */
  readonly position: string;
  readonly now: EpochSeconds;
}

/**
 * Returns how long a resource server may keep a response; `undefined` for a response that must not be kept: an inactive one,
 * one that is outdated already, one that is not known to be valid for another second, and one whose tags have other names by now.
 */
export function responseTags(
  { tagStream, states }: ResponseTagsDeps,
  { token, caller, introspection: { decision }, position, now }: TaggedResponse,
): ResponseTags | undefined {
  if (!decision.active) return undefined;
  const { state } = decision;
  const validity = states.validity(token, state);
  if (validity === undefined) return undefined;
  const { expiresAt, clientExpiresAt = expiresAt } = state.token;
  const forMs = validity.forMs ?? Number.POSITIVE_INFINITY;
  // Nothing expires with an event, and the clock of the resource server may be wrong. A part of the current second is over.
  const leftSeconds = Math.min(expiresAt, clientExpiresAt) - now - 1;
  const maxAgeSeconds = Math.min(Math.floor(forMs / MS_PER_SECOND), leftSeconds);
  if (maxAgeSeconds < 1) return undefined;
  // The response also depends on what its caller registered.
  const tags = new Set([...validity.tags, cacheTag('client', caller)]);
  const names = tagStream.names(position, [...tags]);
  return names && { position, tags: names, maxAgeSeconds };
}

const MS_PER_SECOND = 1_000;
