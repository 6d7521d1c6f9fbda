import type { LogoutMessages } from './messages.js';

/** French. */
export const fr: LogoutMessages = {
  question: 'Se déconnecter de {provider}\u00a0?',
  questionWithClient: 'Se déconnecter aussi de {provider}\u00a0?',
  sentByClient: 'Vous vous déconnectez de {client}.',
  consequence:
    'Nous demanderons aussi à toutes les applications que vous utilisez avec {provider} de vous déconnecter.',
  accept: 'Oui, me déconnecter',
  decline: 'Non, garder ma session ouverte',
  declineWithClient: 'Non, me déconnecter de {client} uniquement',
  anotherLogin: 'Cette demande concerne un autre compte que celui que vous utilisez actuellement.',
  badHint: 'Nous n’avons pas pu vérifier cette demande. Nous ne vous renverrons donc pas vers l’application.',
  redirectRefused:
    'Nous n’avons pas pu vérifier la page vers laquelle l’application veut vous envoyer. Vous resterez donc ici.',
  redirectNotRegistered:
    'L’adresse web de retour n’est pas enregistrée pour {client}. Vous resterez donc ici.',
  answeredBefore:
    'Vous avez déjà répondu, et votre session est toujours ouverte. Vous pouvez choisir à nouveau.',
  questionChanged: 'Cette page n’était plus à jour. Veuillez choisir à nouveau.',
  endedTitle: 'Déconnexion effectuée',
  ended: 'Votre session sur {provider} est fermée.',
  stillTitle: 'Votre session sur {provider} est toujours ouverte',
  kept: 'Rien n’a changé.',
  left: 'Seule votre connexion à {client} a pris fin.',
  notLoggedInTitle: 'Aucune session ouverte',
  notLoggedIn: 'Vous n’avez pas de session ouverte sur {provider} dans ce navigateur.',
  asking: 'Demande de déconnexion à vos applications en cours…',
  asked:
    'Nous avons demandé à ces applications de vous déconnecter. Si votre session y est encore ouverte, déconnectez-vous directement dans l’application.',
  someFailed:
    'Certaines applications n’ont pas pu être contactées et votre session y est peut-être encore ouverte. Ouvrez-les et déconnectez-vous.',
  allConfirmed: 'Toutes ces applications ont confirmé votre déconnexion.',
  waiting: 'Veuillez patienter…',
  notified: 'Déconnexion demandée',
  confirmed: 'Déconnexion confirmée',
  retrying: 'Nouvelles tentatives en cours',
  failed: 'Injoignable',
  oneMoreStepTitle: 'Encore une étape',
  oneMoreStep: 'Une application demande votre déconnexion.',
  badRequest: 'Nous n’avons pas compris cette demande. Revenez à l’application et réessayez.',
  fault:
    'Le problème vient de chez nous. Votre session est peut-être encore ouverte. Réessayez dans un instant.',
  tryAgain: 'Aller à la page de déconnexion',
};
