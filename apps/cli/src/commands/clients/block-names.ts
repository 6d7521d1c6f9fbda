import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import {
  type ClientBlockName,
  parseBlockedHost,
  parseBlockedRedirectUri,
  parseBlockedSoftware,
} from '@vestibule/clients/blocks';
import { misused } from '../../frame/command-failure.js';

/** The names in the options of a command. */
export interface BlockNameOptions {
  readonly host?: readonly ClientBlockName[] | undefined;
  readonly redirectUri?: readonly ClientBlockName[] | undefined;
  readonly softwareId?: readonly ClientBlockName[] | undefined;
}

type Parse = (text: string) => ClientBlockName;

/** `--host`: a host, or `*.` and a host for its subdomains. */
export const hostOption = () =>
  new Option('--host <host...>', 'host, or *.host for its subdomains').argParser(
    collecting(parseBlockedHost),
  );

/** `--redirect-uri`: a redirect URI, or all with a scheme or an origin. */
export const redirectUriOption = () =>
  new Option('--redirect-uri <uri...>', 'redirect URI, scheme:* or origin/*').argParser(
    collecting(parseBlockedRedirectUri),
  );

/** `--software-id`: the `software_id` of clients. */
export const softwareIdOption = () =>
  new Option('--software-id <id...>', 'software_id, in every version').argParser(
    collecting(parseBlockedSoftware),
  );

/** Returns the names in options. @throws CommandFailure if there is none */
export function namesIn({ host = [], redirectUri = [], softwareId = [] }: BlockNameOptions) {
  const names = [...host, ...redirectUri, ...softwareId];
  if (names.length === 0) throw misused('Give at least one of --host, --redirect-uri and --software-id.');
  return names;
}

function collecting(parse: Parse) {
  return (text: string, earlier: readonly ClientBlockName[] | undefined): readonly ClientBlockName[] => {
    try {
      return [...(earlier ?? []), parse(text)];
    } catch (error) {
      if (error instanceof TypeError) throw new InvalidArgumentError(`${error.message}.`);
      throw error;
    }
  };
}
