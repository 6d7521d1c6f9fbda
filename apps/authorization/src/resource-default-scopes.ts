import { resourceName } from '@vestibule/metadata/uris';
import { isJsonObject, JsonError, type JsonLimits, parseJson } from '@vestibule/protocol/json';
import { parseScope } from '@vestibule/scopes';
import { customSetting, type Reading } from '@vestibule/service/settings';
import type { ResourceDefaultScopes } from './provider/default-scope.js';

const LIMITS: JsonLimits = { maxDepth: 1, maxMembers: 1_000 };
const PROBLEM = 'must be a JSON object of different resources and space-separated scope values';

/** The setting with the default scope of requests with a resource and no scope. */
export const resourceDefaultScopesSetting = customSetting<ResourceDefaultScopes>({
  description:
    'Default scope by resource, as clients send it in `resource`: `{"https://api.example": "read write"}`. A trailing slash makes no difference. Requests for other resources get the scope that the client registered.',
  form: 'a JSON object of resources and space-separated scope values',
  default: new Map(),
  read: (text) => {
    try {
      return readScopes(parseJson(text, LIMITS));
    } catch (error) {
      // Its messages name a rule and quote no input.
      if (error instanceof JsonError) return { problem: error.message };
      throw error;
    }
  },
});

function readScopes(value: unknown): Reading<ResourceDefaultScopes> {
  if (!isJsonObject(value)) return { problem: PROBLEM };
  const scopes = new Map<string, readonly string[]>();
  for (const [resource, text] of Object.entries(value)) {
    const scope = typeof text === 'string' ? parseScope(text) : undefined;
    if (scope === undefined || scope.size === 0 || !URL.canParse(resource)) return { problem: PROBLEM };
    const name = resourceName(resource);
    if (scopes.has(name)) return { problem: PROBLEM };
    scopes.set(name, [...scope]);
  }
  return { value: scopes };
}
