import { customSetting, type Reading, splitList } from '../settings/setting.js';

const FORM = 'comma-separated origins in the form of the Origin header, or *';

/** CORS setting. */
export const CROSS_ORIGIN_SETTINGS = {
  CORS_ALLOWED_ORIGINS: customSetting<readonly string[]>({
    description: 'Origins whose pages may call this service from a browser; `*` for every origin.',
    form: FORM,
    default: [],
    read: readOrigins,
  }),
};

function readOrigins(text: string): Reading<readonly string[]> {
  const origins = splitList(text);
  if (text.trim() === '*' || origins.every(isOrigin)) return { value: origins };
  return {
    problem: `must be ${FORM}: scheme and host, the port only if it is not the default, and nothing after it`,
  };
}

/** Whether a text is a web origin in the serialization of the `Origin` header (RFC 6454 section 6.2). */
function isOrigin(text: string): boolean {
  // The URL parser accepts an asterisk in a host name. Here it would look like a wildcard.
  if (!URL.canParse(text) || text.includes('*')) return false;
  const { protocol, origin } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && origin === text;
}
