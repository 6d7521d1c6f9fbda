import { ar } from './ar.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { he } from './he.js';
import { it } from './it.js';
import { ja } from './ja.js';
import type { Languages } from './messages.js';
import { nl } from './nl.js';
import { pl } from './pl.js';
import { pt } from './pt.js';
import { tr } from './tr.js';
import { uk } from './uk.js';
import { zh } from './zh.js';

/** The languages that come with the service. */
export const BUILT_IN_LANGUAGES: Languages = new Map(
  Object.entries({ ar, de, en, es, fr, he, it, ja, nl, pl, pt, tr, uk, zh }),
);
