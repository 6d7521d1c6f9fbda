import { type Profile, parseEntityId } from '@vestibule/federation';
import { explainEntity, type Federation } from '@vestibule/federation-service';
import { DomainError, ThrottledError } from '@vestibule/protocol';
import { Type } from 'typebox';
import { type ConsolePage, type ConsoleRoute, consoleAction } from '../../frame/console-route.js';
import { joined } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { disabledSection } from './disabled-section.js';
import { EXPLAIN_PATH, type ExplainFormContent, explainForm, PROFILES } from './explain-form.js';
import { explanationView } from './explanation-view.js';

interface ExplainedEntity {
  readonly sub: string;
  readonly profile: Profile;
}

/** Explanations at the same time: each makes up to twenty outgoing requests, and takes up to five seconds. */
const MAX_RUNNING = 4;
const BUSY_SECONDS = 5;

/**
 * The action that explains why an entity is trusted or not. It changes nothing, but it is no page, because it causes
 * outgoing requests: a link elsewhere must not lead to them.
 */
export function explainAction(federation: Federation | undefined): ConsoleRoute {
  let running = 0;
  const explained = async (enabled: Federation, query: ExplainedEntity) => {
    if (running >= MAX_RUNNING)
      throw new ThrottledError(BUSY_SECONDS, 'too many explanations at the same time');
    running += 1;
    try {
      const providerMetadata = orRefusal(enabled.providerMetadata);
      return await explainEntity({ ...enabled, providerMetadata }, query);
    } finally {
      running -= 1;
    }
  };
  return consoleAction({
    path: EXPLAIN_PATH,
    role: 'viewer',
    form: Type.Object({ entity: Type.Optional(Type.String()), profile: Type.Optional(Type.String()) }),
    perform: async (visit, { entity = '', profile = 'final' }) => {
      if (federation === undefined) return { title: 'Federation', content: disabledSection(), status: 409 };
      const chosen = PROFILES.find(([name]) => name === profile)?.[0];
      if (chosen === undefined)
        return formAgain(visit, { entity, profileError: 'Choose one of the profiles.' });
      const sub = parseEntityId(entity, federation.allowHosts);
      if (sub === undefined) return formAgain(visit, { entity, profile, entityError: NO_ENTITY });
      const explanation = await explained(federation, { sub, profile: chosen });
      return {
        title: 'Trust in an entity',
        content: joined(explanationView(explanation), explainForm(visit, { entity: sub, profile })),
      };
    },
  });
}

/** What is wrong with an identifier. */
export const NO_ENTITY =
  'This is not an entity identifier: it is an https URL without query and fragment, in lower case where case does not matter, at most 2,048 characters long.';

function formAgain(visit: Visit, content: ExplainFormContent): ConsolePage {
  return { title: 'Explain an entity', content: explainForm(visit, content), status: 400 };
}

/** An explanation says that the discovery document is unavailable, where a registration fails. */
function orRefusal(read: Federation['providerMetadata']): Federation['providerMetadata'] {
  return async () => {
    try {
      return await read();
    } catch (cause) {
      throw new DomainError(
        'server_error',
        'The discovery document of the authorization server could not be fetched.',
        { cause },
      );
    }
  };
}
