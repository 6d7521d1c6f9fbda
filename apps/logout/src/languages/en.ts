import type { Language } from './messages.js';

/** English. */
export const en: Language = {
  direction: 'ltr',
  messages: {
    questionWithClient: 'Log out of {provider} too?',
    question: 'Log out of {provider}?',
    sentByClient: 'You come from {client} to log out.',
    consequence:
      'Every application that you are logged in to through {provider} is told, so that it logs you out too.',
    accept: 'Yes, log out',
    decline: 'No, stay logged in',
    anotherLogin: 'The application means another login than the one in this browser.',
    badHint: 'The request of the application could not be verified. You will not be sent back to it.',
    redirectRefused:
      'The application did not prove that the address it names is its own. You will not be sent there.',
    answeredBefore:
      'You have answered this question before, and you are still logged in. You can answer again.',
    questionChanged: 'This page was out of date. Please answer once more.',
    endedTitle: 'You are logged out',
    ended: 'Your login at {provider} has ended.',
    leftTitle: 'You are logged out of {client}',
    left: 'You are still logged in to {provider}.',
    keptTitle: 'You are still logged in',
    kept: 'Your login at {provider} goes on.',
    nobodyTitle: 'You are not logged in',
    nobody: 'There is no login at {provider} in this browser, or it has ended already.',
    telling: 'Applications are being told …',
    allTold: 'All applications have answered.',
    someSilent: 'Some applications have not answered.',
    waiting: 'waiting',
    told: 'answered',
    silent: 'no answer',
    goOn: 'Go on to {client}',
    mayClose: 'You can close this window.',
    unnamedClient: 'the application',
    oneMoreStepTitle: 'One more step',
    oneMoreStep: 'An application sent you here to log out.',
    continue: 'Continue',
    errorTitle: 'This did not work',
    badRequest: 'The request cannot be read. Go back to the application and try again.',
    badMethod: 'This page cannot be asked in this way.',
    fault: 'Something went wrong here, and nothing can be said about your login. Try again in a moment.',
  },
};
