import { type Languages, type PageFrame, pageStyle } from '@vestibule/http/pages';
import type { Issuer } from '@vestibule/protocol';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import { BUILT_IN_LANGUAGES } from '../languages/built-in-languages.js';
import type { Messages } from '../languages/messages.js';

/** The style of the pages and the name of the provider, from settings. */
export interface Brand {
  /** Name of the provider. Default: the host of the issuer. */
  readonly name?: string;
  /** Address of the logo above the title. */
  readonly logo?: string;
  /** Colour of buttons and links, as `#rrggbb`. */
  readonly accent?: string;
  /** The same for dark pages. */
  readonly accentInDark?: string;
}

/** Configuration shared by all pages. */
export interface PageSetting extends PageFrame {
  readonly languages: Languages<Messages>;
  readonly provider: string;
  /** Action of forms: the path of the public address. */
  readonly action: string;
  /** Scheme, host and port of the public address. */
  readonly origin: string;
}

/** Options of {@link pageSetting}. Everything but the issuer has a default. */
export interface PageSettingOptions {
  readonly issuer: Issuer;
  readonly path?: string;
  readonly languages?: Languages<Messages>;
  readonly brand?: Brand;
}

/** Builds the configuration shared by all pages. */
export function pageSetting({
  issuer,
  path = ENDPOINT_PATH.logout,
  languages = BUILT_IN_LANGUAGES,
  brand = {},
}: PageSettingOptions): PageSetting {
  const { host, origin, pathname } = new URL(issuer + path);
  const { name = host, logo, ...colours } = brand;
  return {
    languages,
    style: pageStyle({ ...colours, moreStyle: STYLE }),
    provider: name,
    ...(logo !== undefined && { logo: { address: logo, text: name } }),
    action: pathname,
    origin,
  };
}

const STYLE = `
.logo { display: block; max-width: 100%; height: 3rem; margin: 0 0 1.25rem; object-fit: contain; }
.notice { padding: .5rem .75rem; border-inline-start: .25rem solid var(--alert); background: var(--ground); }
.faint { color: var(--faint); }
.actions button { flex-basis: 14rem; overflow-wrap: break-word; }
p:last-child, ul:last-child { margin-bottom: 0; }
.clients { list-style: none; padding: 0; border: 1px solid var(--line); border-radius: .5rem; }
.clients li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .5rem .75rem; }
.clients li + li { border-top: 1px solid var(--line); }
.clients span { color: var(--faint); }
.clients .failed, .clients .retrying { color: var(--alert); }
.way { display: inline-block; min-height: 1.5rem; font-weight: 600; }
`;
