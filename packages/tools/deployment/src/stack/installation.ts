import type { Closers } from '@vestibule/local-services';
import type { ComposeFile } from '../compose/compose-file.js';
import type { Stage } from '../dockerfile/read-dockerfile.js';
import type { StackPlaces } from './stack-places.js';

/** What every part of a stack on this machine is started with. */
export interface Installation {
  readonly compose: ComposeFile;
  readonly dockerfile: readonly Stage[];
  /** Where volumes, roots and configurations lie. */
  readonly folder: string;
  readonly logFolder: string;
  readonly places: StackPlaces;
  readonly toEnd: Closers;
  readonly say: (sentence: string) => void;
}
