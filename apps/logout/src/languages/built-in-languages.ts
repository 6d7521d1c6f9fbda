import { builtInLanguages, type Languages } from '@vestibule/http/pages';
import { ar } from './ar.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { he } from './he.js';
import { it } from './it.js';
import { ja } from './ja.js';
import type { LogoutMessages, Messages } from './messages.js';
import { nl } from './nl.js';
import { pl } from './pl.js';
import { pt } from './pt.js';
import { ptBr } from './pt-br.js';
import { tr } from './tr.js';
import { uk } from './uk.js';
import { zh } from './zh.js';
import { zhTw } from './zh-tw.js';

/** The built-in languages. */
export const BUILT_IN_LANGUAGES: Languages<Messages> = builtInLanguages<LogoutMessages>({
  ar,
  de,
  en,
  es,
  fr,
  he,
  it,
  ja,
  nl,
  pl,
  pt,
  'pt-br': ptBr,
  tr,
  uk,
  zh,
  'zh-tw': zhTw,
});
