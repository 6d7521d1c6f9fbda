import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type ClientOwner, parseClientOwner } from '@vestibule/clients';

/** `--owner` option: the name under which files own clients. */
export function ownerOption() {
  return new Option('--owner <name>', 'name of the set of files that owns the clients').argParser(
    (text): ClientOwner => {
      const owner = parseClientOwner(text);
      if (owner !== undefined) return owner;
      throw new InvalidArgumentError(
        'It must have 1 to 64 letters, digits, dots, hyphens, underscores and at signs, and start with a letter or digit.',
      );
    },
  );
}
