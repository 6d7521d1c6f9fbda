import type { Language } from './messages.js';

/** French. */
export const fr: Language = {
  direction: 'ltr',
  messages: {
    questionWithClient: 'Vous déconnecter aussi de {provider} ?',
    question: 'Vous déconnecter de {provider} ?',
    sentByClient: 'Vous venez de {client} pour vous déconnecter.',
    consequence:
      'Toutes les applications auxquelles vous êtes connecté par {provider} sont prévenues afin de vous déconnecter aussi.',
    accept: 'Oui, me déconnecter',
    decline: 'Non, rester connecté',
    anotherLogin: 'L’application parle d’une autre connexion que celle de ce navigateur.',
    badHint: 'La demande de l’application n’a pas pu être vérifiée. Vous n’y serez pas renvoyé.',
    redirectRefused:
      'L’application n’a pas prouvé que l’adresse indiquée est la sienne. Vous n’y serez pas envoyé.',
    answeredBefore:
      'Vous avez déjà répondu à cette question et vous êtes toujours connecté. Vous pouvez répondre de nouveau.',
    questionChanged: 'Cette page n’était plus à jour. Veuillez répondre encore une fois.',
    endedTitle: 'Vous êtes déconnecté',
    ended: 'Votre connexion à {provider} est terminée.',
    leftTitle: 'Déconnexion effectuée : {client}',
    left: 'Vous êtes toujours connecté à {provider}.',
    keptTitle: 'Vous êtes toujours connecté',
    kept: 'Votre connexion à {provider} continue.',
    nobodyTitle: 'Vous n’êtes pas connecté',
    nobody: 'Il n’y a pas de connexion à {provider} dans ce navigateur, ou elle est déjà terminée.',
    telling: 'Les applications sont prévenues …',
    allTold: 'Toutes les applications ont répondu.',
    someSilent: 'Certaines applications n’ont pas répondu.',
    waiting: 'en attente',
    told: 'a répondu',
    silent: 'pas de réponse',
    goOn: 'Continuer vers {client}',
    mayClose: 'Vous pouvez fermer cette fenêtre.',
    unnamedClient: 'l’application',
    oneMoreStepTitle: 'Encore une étape',
    oneMoreStep: 'Une application vous a envoyé ici pour vous déconnecter.',
    continue: 'Continuer',
    errorTitle: 'Cela n’a pas fonctionné',
    badRequest: 'La demande est illisible. Retournez à l’application et réessayez.',
    badMethod: 'Cette page ne peut pas être demandée de cette façon.',
    fault:
      'Une erreur s’est produite ici, et rien ne peut être dit de votre connexion. Réessayez dans un instant.',
  },
};
