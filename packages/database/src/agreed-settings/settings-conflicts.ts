import type {
  AgreedSettings,
  LogoutAgreement,
  ProcessSettings,
  SessionCookieSettings,
} from './agreed-settings.js';

/**
 * Compares the settings of a process with those of the others over the same database: one sentence for each conflict,
 * which names the setting and the remedy.
 */
export function settingsConflicts(
  own: ProcessSettings,
  others: readonly ProcessSettings[],
): readonly string[] {
  const sentences = [
    ...others.flatMap((other) => issuerConflict(own, other)),
    ...others.flatMap((other) => providerConflict(own, other)),
    ...logoutConflicts(own, others),
    ...missingServices(own, others),
  ];
  return [...new Set(sentences)];
}

function issuerConflict(
  { settings: own }: ProcessSettings,
  { program, settings }: ProcessSettings,
): string[] {
  const { issuer } = settings;
  if (issuer === own.issuer) return [];
  if (own.provider !== undefined && settings.provider === undefined)
    return [
      `${program} runs with BASE_URL=${issuer}, but the issuer of this provider is ${own.issuer}: set BASE_URL=${own.issuer} for ${program}.`,
    ];
  if (own.provider === undefined && settings.provider !== undefined)
    return [
      `BASE_URL is ${own.issuer}, but ${program}, the OpenID provider on this database, has the issuer ${issuer}: set BASE_URL=${issuer}.`,
    ];
  return [
    `${program} runs on the same database for the issuer ${issuer} and not for ${own.issuer}: a database belongs to one issuer, so set the same one for both.`,
  ];
}

/** Two OpenID providers over one database would both end sessions. */
function providerConflict(
  { settings: own }: ProcessSettings,
  { program, settings }: ProcessSettings,
): string[] {
  if (own.provider === undefined || settings.provider === undefined) return [];
  if (own.provider.isJoined === settings.provider.isJoined) return [];
  const [subject, place] = own.provider.isJoined
    ? [program, ` for ${program}`]
    : [`${program} on the same database`, ''];
  return [
    `${subject} is an OpenID provider too, so two servers would end sessions: set OPENID_PROVIDER_ENABLED=false${place}.`,
  ];
}

/** Compares each logout page with the provider, if one of them is this process. */
function logoutConflicts(own: ProcessSettings, others: readonly ProcessSettings[]): readonly string[] {
  const all = [own, ...others];
  const isJoined = all.some(({ settings }) => settings.provider?.isJoined === true);
  const providers = all.filter(({ settings }) => settings.provider?.isJoined === isJoined);
  return all.flatMap((page) =>
    providers.flatMap((provider) => {
      const isOwn = page === own || provider === own;
      const { logout } = page.settings;
      const { provider: wanted } = provider.settings;
      return isOwn && logout !== undefined && wanted !== undefined
        ? pageConflicts(page.program, logout, wanted)
        : [];
    }),
  );
}

function pageConflicts(program: string, page: LogoutAgreement, wanted: LogoutAgreement): readonly string[] {
  const { sessionCookie: cookie, logoutPath } = wanted;
  const other = page.sessionCookie;
  const conflicts: string[] = [];
  if (other.name !== cookie.name)
    conflicts.push(
      `The logout page of ${program} looks for the session in the cookie ${other.name}, but the OpenID provider sets ${cookie.name}: set SESSION_COOKIE_NAME=${cookie.name} for ${program}.`,
    );
  const remedies = attributeRemedies(other, cookie);
  if (remedies.length > 0)
    conflicts.push(
      `The logout page of ${program} cannot delete the session cookie of the OpenID provider: ${remedies.join(', ')} for ${program}.`,
    );
  if (page.logoutPath !== logoutPath)
    conflicts.push(
      `The OpenID provider publishes the logout page at ${logoutPath}, but ${program} serves it at ${page.logoutPath}: set LOGOUT_PATH=${logoutPath} for ${program}.`,
    );
  return conflicts;
}

function attributeRemedies(other: SessionCookieSettings, cookie: SessionCookieSettings): readonly string[] {
  const remedies: string[] = [];
  if (other.path !== cookie.path) remedies.push(`set SESSION_COOKIE_PATH=${cookie.path}`);
  if (other.domain !== cookie.domain)
    remedies.push(
      cookie.domain === undefined
        ? 'unset SESSION_COOKIE_DOMAIN'
        : `set SESSION_COOKIE_DOMAIN=${cookie.domain}`,
    );
  if (other.sameSite !== cookie.sameSite) remedies.push(`set SESSION_COOKIE_SAME_SITE=${cookie.sameSite}`);
  return remedies;
}

/** A provider of a team without any service: they are not started yet, or it has another database. */
function missingServices(
  { settings }: ProcessSettings,
  others: readonly ProcessSettings[],
): readonly string[] {
  const isAlone = !others.some((other) => isService(other.settings));
  return settings.provider?.isJoined === true && isAlone
    ? ['No other service runs on this database. If they do run, set databaseUrl to their DATABASE_URL.']
    : [];
}

function isService({ provider }: AgreedSettings): boolean {
  return provider?.isJoined !== true;
}
