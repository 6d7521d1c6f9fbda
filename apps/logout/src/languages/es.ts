import type { LogoutMessages } from './messages.js';

/** Spanish. */
export const es: LogoutMessages = {
  question: '¿Cerrar sesión en {provider}?',
  questionWithClient: '¿Cerrar sesión también en {provider}?',
  sentByClient: 'Vas a cerrar sesión en {client}.',
  consequence:
    'También pediremos a todas las aplicaciones en las que entraste con {provider} que cierren tu sesión.',
  accept: 'Sí, cerrar sesión',
  decline: 'No, mantener la sesión iniciada',
  declineWithClient: 'No, cerrar sesión solo en {client}',
  anotherLogin: 'Esta solicitud es para una cuenta distinta de la que estás usando.',
  badHint: 'No hemos podido verificar esta solicitud, así que no te enviaremos de vuelta a la aplicación.',
  redirectRefused:
    'No hemos podido verificar la página a la que quiere enviarte la aplicación, así que te quedarás aquí.',
  redirectNotRegistered:
    'La dirección web a la que ibas a volver no está registrada para {client}, así que te quedarás aquí.',
  answeredBefore: 'Ya respondiste y tu sesión sigue abierta. Puedes elegir de nuevo.',
  questionChanged: 'Esta página ya no estaba actualizada. Elige de nuevo.',
  endedTitle: 'Has cerrado sesión',
  ended: 'Ya no tienes la sesión iniciada en {provider}.',
  stillTitle: 'Tu sesión en {provider} sigue abierta',
  kept: 'No ha cambiado nada.',
  left: 'Solo se ha cerrado tu sesión en {client}.',
  notLoggedInTitle: 'No has iniciado sesión',
  notLoggedIn: 'No has iniciado sesión en {provider} en este navegador.',
  asking: 'Pidiendo a tus aplicaciones que cierren tu sesión…',
  asked:
    'Hemos pedido a estas aplicaciones que cierren tu sesión. Si en alguna sigue abierta, ciérrala allí.',
  someFailed:
    'No hemos podido contactar con algunas aplicaciones y es posible que tu sesión siga abierta en ellas. Ábrelas y cierra sesión allí.',
  allConfirmed: 'Todas estas aplicaciones han confirmado que tu sesión está cerrada.',
  waiting: 'Espera…',
  notified: 'Cierre de sesión solicitado',
  confirmed: 'Sesión cerrada',
  retrying: 'Seguimos intentándolo',
  failed: 'No se pudo contactar',
  oneMoreStepTitle: 'Un paso más',
  oneMoreStep: 'Una aplicación te ha enviado aquí para cerrar sesión.',
  badRequest: 'No hemos podido entender esta solicitud. Vuelve a la aplicación e inténtalo de nuevo.',
  fault:
    'El problema es nuestro. Es posible que tu sesión siga abierta. Inténtalo de nuevo en unos instantes.',
  tryAgain: 'Ir a la página de cierre de sesión',
};
