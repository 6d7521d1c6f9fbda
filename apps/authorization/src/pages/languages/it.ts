import type { PageMessages } from './messages.js';

/** Italian. */
export const it: PageMessages = {
  demo: 'Questa è una demo per prove in locale. Non inserire una password reale.',
  logIn: 'Accedi',
  loginFor: 'Accedi per continuare su {client}.',
  username: 'Nome utente',
  password: 'Password',
  cancel: 'Annulla e torna indietro',
  wrongPassword: 'Nome utente o password non corretti.',
  consentTitle: 'Consentire l’accesso?',
  consent: 'Consenti a {client} di accedere al tuo account per:',
  accessResource: 'Accedere a {resource}:',
  confirmAgain: 'Conferma di voler continuare su {client}.',
  scopeOpenid: 'Sapere chi sei',
  scopeProfile: 'Vedere il tuo nome e il tuo profilo',
  scopeEmail: 'Vedere il tuo indirizzo email',
  scopeAddress: 'Vedere il tuo indirizzo postale',
  scopePhone: 'Vedere il tuo numero di telefono',
  scopeOffline: 'Mantenere l’accesso anche quando non usi l’app',
  privacyPolicy: 'Norme sulla privacy',
  terms: 'Termini di servizio',
  documentHost: 'Questa app è pubblicata da questo sito web:',
  loopbackWarning:
    'Questa app è in esecuzione sul tuo dispositivo, dove altri programmi possono fingersi quest’app. Consenti l’accesso solo se l’hai appena avviata tu.',
  destination: 'Qualunque sia la tua scelta, tornerai a {site}.',
  allow: 'Consenti',
  refuse: 'Non consentire',
  expiredTitle: 'Questa pagina è scaduta',
  expired: 'Torna all’app e ricomincia.',
  badRequest: 'L’app ha inviato una richiesta che non possiamo completare. Torna all’app e riprova.',
  tooManyRequests:
    'Ci sono stati troppi tentativi di accesso dalla tua rete. Attendi un minuto, poi torna all’app e riprova.',
  details: 'Se il problema persiste, invia questi dettagli a chi gestisce l’app:',
  fault: 'Il problema è nostro. Riprova tra poco.',
};
